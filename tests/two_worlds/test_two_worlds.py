"""The law of two worlds: at no door does anybody learn what they may not know.

Two matches are laid that differ in their seed and in what the viewer can't know, and in nothing else. All that the
viewer may ask at a door is asked of both, and every byte of every answer must be the same. Ids, instants, hashes, and
what a page draws for itself are blanked out, in their own lengths.

A viewer is a seat, a spectator, or the host: who opened the match, holds no seat and hasn't looked at the truth.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import count, takewhile
from typing import NamedTuple
from uuid import UUID

import pytest
from msgspec import structs

from games import catalogue
from games.kernel import HOST, SPECTATOR, Witness
from matches.api import match_views
from matches.reads import feed
from matches.reads.documents.match import LegalDocument, ViewDocument
from matches.storage import codec, repository
from tests.api.document import OF_CONTESTS, OF_SEASONS, OPERATIONS
from tests.cases import some_slow
from tests.two_worlds.live import TERMINAL, frames_of
from tests.two_worlds.pages import DESK, PAGES, PANEL
from tests.two_worlds.rest import ACTS, AS_HOST, OF_NO_MATCH, READS
from tests.two_worlds.worlds import Asks, House, World, commands, has_secrets, richest_pair

HELD_BACK = HOST
"""The viewer who is the host without a look, and must be told no more than a spectator."""


class Door(NamedTuple):
    """The requests of an entry point, and their viewers."""

    asks: Mapping[str, Asks]
    viewers: tuple[Witness, ...]


DOORS = {
    "rest": Door(READS | ACTS, (0, 1, SPECTATOR)),
    "rest-hosting": Door(AS_HOST, (HOST,)),
    "pages": Door(PAGES, (0, 1, SPECTATOR)),
    "desk": Door(DESK, (0, 1)),
    "panel": Door(PANEL, (HOST, 0, 1, SPECTATOR)),
    "terminal": Door(TERMINAL, (0, 1)),
}
SOCKETS = (0, SPECTATOR, 1)


def cases() -> Iterator[tuple[str, str, Witness]]:
    """Door, game and viewer: all that there are."""
    for name, door in DOORS.items():
        yield from ((name, slug, viewer) for slug in catalogue for viewer in door.viewers)


def always() -> Iterator[tuple[str, str, Witness]]:
    """Those of every run: each game with secrets at each door, with viewers who take turns, or the host."""
    for name, (_, viewers) in DOORS.items():
        for place, (slug, game) in enumerate(catalogue.items()):
            if has_secrets(game) or viewers == (HOST,):
                yield name, slug, HOST if HOST in viewers else viewers[place % len(viewers)]
        yield name, "pyramid_poker", viewers[-1]


@pytest.mark.parametrize(("door", "slug", "viewer"), some_slow(cases(), always=frozenset(always())))
def test_hidden_facts_change_no_byte_of_a_response(door: str, slug: str, viewer: Witness) -> None:
    assert told_apart(DOORS[door].asks, slug, viewer) == []


@pytest.mark.parametrize(("slug", "viewer"), [(slug, SOCKETS[place % 3]) for place, slug in enumerate(catalogue)])
def test_hidden_facts_change_no_byte_of_a_frame(site: str, slug: str, viewer: Witness) -> None:
    assert told_apart({"socket": frames_of(site)}, slug, viewer) == []


def told_apart(asks: Mapping[str, Asks], slug: str, viewer: Witness) -> list[str]:
    """Return the differences between the answers of two worlds that this viewer can't distinguish."""
    witness = SPECTATOR if viewer is HELD_BACK else viewer
    pair, house = richest_pair(slug, witness), House.new()
    assert (pair[0].log != pair[1].log) == has_secrets(catalogue[slug])
    requests, answers = commands(*pair, witness), []
    for truth in pair:
        world = World.lay(truth, house, house.as_whom(viewer), requests)
        answers.append([(name, world.masked(answer)) for name, ask in asks.items() for answer in ask(world)])
        world.clear()
    assert len(answers[0]) >= len(asks)
    return [
        f"{name}: {_parting(here, there)}" for (name, here), (_, there) in zip(*answers, strict=True) if here != there
    ]


def _parting(here: object, there: object) -> str:
    """Return the text around the first difference of two answers."""
    texts = repr(here), repr(there)
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(*texts, strict=False))
    place = len(list(alike))
    return " or ".join(text[max(0, place - 40) : place + 40] for text in texts)


def test_every_operation_is_compared_in_both_worlds() -> None:
    assert set(READS) == {it.id for it in OPERATIONS.values() if it.method == "GET"} - OF_SEASONS - OF_CONTESTS
    assert set(READS | ACTS) | OF_NO_MATCH == set(OPERATIONS) - OF_SEASONS - OF_CONTESTS
    assert not any("{name}" in OPERATIONS[it].path for it in OF_NO_MATCH)


def untold(monkeypatch: pytest.MonkeyPatch) -> None:
    """One type of event goes out whole."""
    unpack = codec.unpack
    monkeypatch.setattr(
        codec, "unpack", lambda game, row, who: unpack(game, row, HOST if row.type == "group_assigned" else who)
    )


def a_field(monkeypatch: pytest.MonkeyPatch) -> None:
    """The view shows one field of the truth."""
    view = feed.view

    def leaky(match_id: UUID, witness: Witness, upto: int | None = None) -> ViewDocument:
        own_view, truth = (view(match_id, who, upto) for who in (witness, HOST))
        return structs.replace(own_view, view=own_view.view | {"groups": truth.view["groups"]})

    monkeypatch.setattr(feed, "view", leaky)


def legal_of_the_truth(monkeypatch: pytest.MonkeyPatch) -> None:
    """List a seat's legal commands by the whole truth."""
    legal = feed.legal

    def leaky(match_id: UUID, seat: int) -> LegalDocument:
        truth = repository.load(match_id, HOST).state
        return structs.replace(legal(match_id, seat), text=[str(truth.groups)])

    monkeypatch.setattr(feed, "legal", leaky)


def a_header(monkeypatch: pytest.MonkeyPatch) -> None:
    """No two answers have the same tag."""
    counter = count()
    monkeypatch.setattr(match_views, "etag", lambda version, _: f'"v{version}-{next(counter)}"')


LEAKS = [
    (untold, {"listEvents", "readMatch", "readView"}),
    (a_field, {"readView"}),
    (legal_of_the_truth, {"listLegal"}),
    (a_header, {"readMatch"}),
]


@pytest.mark.parametrize(("leak", "names"), LEAKS, ids=[leak.__name__ for leak, _ in LEAKS])
def test_leaking_server_is_detected(
    leak: Callable[[pytest.MonkeyPatch], None], names: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    few = {name: READS[name] for name in ("readMatch", "readView", "listEvents", "listLegal", "auditMatch")}
    leak(monkeypatch)
    assert {it.partition(":")[0] for it in told_apart(few, "higher_or_lower", 0)} == names
