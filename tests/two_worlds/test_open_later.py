"""The law of two worlds after the end of a match whose secrets open with the end of its season: two matches that differ
only in their secrets answer alike at every interface until then, and not afterwards.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Literal, cast
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import pytest
from msgspec import structs

from events.store import StreamTransaction
from games.contest import GAME
from games.contest.events import Submitted
from games.kernel import HOST, Chance, Event, Table
from matches.reads import feed
from matches.seasons.models import Season
from matches.services import hosting, opening, playing
from matches.services.appending import append, match_at_head
from matches.storage import repository
from tests.api.guests import Answer, Guest, guest
from tests.api.seasons import deliver
from tests.cases import some_slow
from tests.live.test_streams import stream
from tests.live.watching import House as Web
from tests.two_worlds.pages import PAGES, PANEL, browser_of, gets, page
from tests.two_worlds.rest import ACTS, AS_HOST, READS, REQUEST
from tests.two_worlds.test_two_worlds import _parting
from tests.two_worlds.worlds import REQUEST_ID, Asked, Asks, Batch, House, Truth, World

Ending = Literal["played", "decided"]
SEATS = 4
OWN = 3
"""The seat whose own submissions are the same in both worlds."""
SIDES = ("left", "right")
CONTENT: dict[str, Any] = {
    "title": "Sealed", "most_seats": SEATS, "roles": [{"name": "spy", "count": 1}],
    "rounds": [
        {"name": name, "fields": [{"name": "side", "kind": "choice", "options": [*SIDES]}], "reveal": "nothing"}
        for name in ("first", "second")
    ],
}  # fmt: skip


def truths(ending: Ending) -> tuple[Truth, Truth]:
    """Return two contests in which the seats but `OWN` have submitted something else. One that is `decided` stands
    amid its second round."""
    rng, batches = Random(7), []
    table = Table(GAME, {"content": CONTENT}, SEATS, 0, Chance(seed=b"later"))
    while table.outcome is None:
        if table.due.dealer:
            batches.append(Batch(None, table.deal()))
            continue
        seat, number = table.due.seats[0], table.state.number
        if ending == "decided" and number == 2 and seat == OWN:
            break
        command = {"type": "submit", "round": number, "values": {"side": rng.choice(SIDES)}}
        batches.append(Batch(seat, table.act(seat, command)))
    truth = Truth(GAME, tuple(batches), {"content": CONTENT}, SEATS)
    return truth, truth.retold([_otherwise(event) for event in truth.log])


def _otherwise(event: Event) -> Event:
    if not isinstance(event, Submitted) or event.seat == OWN or event.values is None:
        return event
    return structs.replace(event, values={"side": SIDES[event.values["side"] == SIDES[0]]})


@dataclass(frozen=True)
class LateWorld(World):
    """A truth as a table of a season's main match that is over; the season goes on."""

    season: str = ""

    @classmethod
    def over(cls, truth: Truth, house: House, reader: Guest, organiser: Guest, ending: Ending) -> "LateWorld":
        """Open a season with its table, append the truth, and end the match."""
        path, match = _season_with_table(house, organiser)
        for actor, events in truth.batches:
            who = playing.DEALER if actor is None else house.as_whom(actor).id
            with StreamTransaction(match, actor=who) as transaction:
                append(transaction, match_at_head(transaction), events)
        if ending == "decided":
            hosting.adjudicate(match_id=match, by=UUID(house.opener.id), winners=[0], reason="No more time.")
        deliver()
        assert repository.load(match).lifecycle.over
        code = reader.get(f"/matches/{match}").json["code"]
        return cls(truth, house, reader, Asked([], [], []), str(match), code, path.rpartition("/")[2])

    @property
    def version(self) -> int:
        """The version of the match's end."""
        return repository.version_of(UUID(self.match))

    def ends(self, organiser: Guest) -> None:
        """The season ends: all but one leave it."""
        for player in self.house.players[1:]:
            path = f"/seasons/{self.season}/players/{player.id}/withdraw"
            answer = organiser.post(path, {"reason": "It was agreed."}, Idempotency_Key=str(uuid4()))
            assert answer.status == 201, answer.body
        deliver()

    def clear(self) -> None:
        """Take match and season off the lists."""
        super().clear()
        Season.objects.filter(id=UUID(self.season)).delete()

    def _mask(self, text: str) -> str:
        text = _MINUTE.sub("", text.replace(self.season, "s" * len(self.season)))
        return super()._mask(text)


_MINUTE = re.compile(r"(?<=shown=)\d+-\d+")
"""The version and the minute in which a page of a season was made."""


def _season_with_table(house: House, organiser: Guest) -> tuple[str, UUID]:
    def did(path: str, body: Any) -> Answer:
        answer = organiser.post(path, body, Idempotency_Key=str(uuid4()))
        assert answer.status == 201, answer.body
        return answer

    season = did("/seasons", {"title": "A cup", "options": {"secrets_open": "season"}})
    path = season.headers["Location"].removeprefix("/api/v1")
    did(f"{path}/staff", {"account": house.opener.id, "role": "host"})
    for player in house.players:
        did(f"{path}/players", {"player": player.id})
    did(f"{path}/episodes", {"title": "First"})
    players = [player.id for player in house.players]
    options = {"options": {"content": CONTENT}, "clocks": None}
    (event,) = did(f"{path}/main-matches/tables", {"game": "contest", "players": players, **options}).json["events"]
    deliver()
    match = UUID(event["match"])
    opening.start(match_id=match, by=UUID(house.opener.id), reason="")
    return path, match


READERS: dict[str, Callable[[House, Guest], Guest]] = {
    "stranger": lambda house, organiser: house.watcher,
    "player": lambda house, organiser: house.players[OWN],
    "host": lambda house, organiser: house.opener,
    "organiser": lambda house, organiser: organiser,
}


def of_season(world: World) -> Iterator[Answer]:
    """Yield the documents and pages of the season."""
    season = cast(LateWorld, world).season
    for path in ("", "/standings", "/episodes", "/main-matches/tables", "/ledger", "/events?limit=100", "/recap"):
        yield world.reader.get(f"/seasons/{season}{path}", **REQUEST)
    for path in (f"/seasons/{season}/", f"/seasons/{season}/episodes/1", f"/seasons/{season}/rules"):
        yield page(world, path)
    yield from (page(world, path, browser_of(None)) for path in ("/m/{code}/replay/", "/m/{code}/replay/9/?as=host"))


ADMIN: dict[str, Asks] = {
    "disputes": gets("/admin/disputes/"),
    "log": gets("/admin/log/?match={code}", "/admin/log/{match}/9/", "/admin/log/{match}/12/"),
}
DOORS: dict[str, Mapping[str, Asks]] = {
    "rest": READS | ACTS | AS_HOST,
    "pages": PAGES | {"season": of_season},
    "panel": PANEL | ADMIN,
}


LOOKS = ("readView", "readMoment", "listEvents", "listHistory", "drawBoard")
"""Reads as `host`: after a contest that was played out they show a host the truth, and record the look."""


def asks_for(door: str, reader: str, ending: Ending) -> Mapping[str, Asks]:
    """Return what a reader asks at a door, without recorded looks."""
    looks = LOOKS if ending == "played" and reader in ("host", "organiser") else ()
    return {name: ask for name, ask in DOORS[door].items() if name not in looks}


def differing(asks: Mapping[str, Asks], reader: str, ending: Ending, *, ends: bool = False) -> list[str]:
    """Return the differences between the answers of two worlds, of which the season goes on or, if so, `ends`."""
    house, organiser, answers = House.new(SEATS), guest(is_organiser=True), []
    pair = truths(ending)
    assert pair[0].log != pair[1].log
    for truth in pair:
        world = LateWorld.over(truth, house, READERS[reader](house, organiser), organiser, ending)
        if ends:
            world.ends(organiser)
        answers.append([(name, world.masked(answer)) for name, ask in asks.items() for answer in ask(world)])
        world.clear()
    assert len(answers[0]) == len(answers[1]) >= len(asks)
    return [
        f"{name}: {_parting(here, there)}" for (name, here), (_, there) in zip(*answers, strict=True) if here != there
    ]


CASES = [(door, reader, ending) for door in DOORS for reader in READERS for ending in ("played", "decided")]
ALWAYS = [("rest", "stranger", "played"), ("pages", "player", "decided"), ("panel", "host", "played")]


@pytest.mark.parametrize(("door", "reader", "ending"), some_slow(CASES, always=ALWAYS))
def test_secrets_change_no_byte_of_a_response_before_the_season_ends(door: str, reader: str, ending: Ending) -> None:
    assert differing(asks_for(door, reader, ending), reader, ending) == []


@pytest.mark.parametrize("reader", some_slow(READERS, always=["host"]))
def test_secrets_change_no_byte_of_a_stream_before_the_season_ends(reader: str, site: str) -> None:
    web = Web(urlsplit(site).port or 0, 0, Path())

    def streams(world: World) -> Iterator[Answer]:
        for query in ("", "?after=3", "?as=host", "?as=seat:0&after=3"):
            path, named = f"/matches/{world.match}/events{query}", {"X-Request-ID": REQUEST_ID}
            with stream(web, world.reader, path, **named) as it:
                yield Answer(it.status_code, {}, it.read())

    def frames(world: World) -> Iterator[Answer]:
        for query in ("", "?after=3"):
            with web.watch(world.reader, world.match, query) as watcher:
                assert watcher.end() == (4410, "The match is over.")
                for text in sorted(text for text in watcher.raw if '"kind":"presence"' not in text):
                    yield Answer(0, {}, text.encode())

    assert differing({"streams": streams, "frames": frames}, reader, "played") == []


@pytest.mark.parametrize("reader", READERS)
def test_worlds_differ_for_everybody_once_the_season_has_ended(reader: str) -> None:
    reads = {name: READS[name] for name in ("readView", "exportMatch", "listEvents")}
    lines = differing(reads, reader, "played", ends=True)
    assert {line.partition(":")[0] for line in lines} == set(reads)


def test_reader_who_is_shown_the_truth_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    view = feed.view
    monkeypatch.setattr(feed, "view", lambda match_id, witness, upto=None: view(match_id, HOST, upto))
    assert differing({"readView": READS["readView"]}, "stranger", "played") != []
