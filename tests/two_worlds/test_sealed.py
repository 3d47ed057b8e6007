"""The law of two worlds for officials while a round of a contest is sealed: two matches that differ only in what has
been submitted answer alike at every interface, to hosts who looked at the truth before, and to those who didn't.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import pytest
from structlog.testing import capture_logs

from games.contest import GAME, forms
from games.contest.events import Submitted
from games.contest.state import State
from games.kernel import HOST, Chance, Event, Table, to_json
from matches.api import scraping
from matches.models import Account, Match, Notice
from matches.notifications import call_delivery, match_calls, notices
from matches.reads import feed
from matches.storage import repository
from tests.api.guests import Answer, Guest, guest
from tests.cases import some_slow
from tests.live.test_streams import stream
from tests.live.watching import House as Web
from tests.two_worlds.live import frames_of
from tests.two_worlds.pages import PAGES, PANEL, ROOM, browser_of, gets, page
from tests.two_worlds.rest import ACTS, AS_HOST, READS, REQUEST
from tests.two_worlds.test_two_worlds import _parting
from tests.two_worlds.worlds import REQUEST_ID, Asked, Asks, Batch, House, Truth, World

SEATS = 4
OPEN = {"name": "open", "fields": [{"name": "word", "kind": "text"}], "sealed": False, "reveal": "nothing"}
LATER = {"name": "later", "secret": True, "fields": [{"name": "word", "kind": "text"}]}
GOLD = {"name": "gold", "start": 20, "secret": True, "pays": True, "gives": "secretly"}
PURSE = {"name": "purse", "start": 20, "pays": True, "gives": "publicly"}
CARDS = {"name": "cards", "cards": [f"{number} of cups" for number in range(1, 21)], "hand": 5}
FIELDS: dict[str, list[dict[str, Any]]] = {
    "bids": [
        {"name": "bid", "kind": "number", "most": 20, "balance": "gold"},
        {"name": "price", "kind": "number", "most": 20, "balance": "purse"},
    ],
    "choices": [
        {"name": "side", "kind": "choice", "options": ["left", "right", "north of here"]},
        {"name": "sides", "kind": "choice", "options": ["a", "b", "c"], "least": 0, "most": 3},
        {"name": "order", "kind": "ranking", "options": ["a", "b", "c"]},
        {"name": "word", "kind": "text"},
    ],
    "players": [
        {"name": "target", "kind": "player"},
        {"name": "friends", "kind": "player", "least": 0, "most": 3},
        {"name": "support", "kind": "split", "budget": 9},
        {"name": "played", "kind": "cards", "deck": "cards", "least": 0, "most": 3},
    ],
}
SCHEMES: dict[str, dict[str, Any]] = {
    "bids": {"kind": "second_price", "field": "bid", "prizes": [3, 1]},
    "choices": {"kind": "answer", "field": "side", "answers": ["left"]},
    "players": {"kind": "named_most", "field": "target", "out": "winners"},
}


def content_of(fields: str) -> dict[str, Any]:
    sealed = {
        "name": "sealed", "title": "Sealed", "fields": FIELDS[fields], "scheme": SCHEMES[fields], "gifts": 2,
        "default": {"kind": "random", "penalty": 1}, "later": fields == "choices",
    }  # fmt: skip
    return {
        "title": "Sealed", "most_seats": SEATS, "balances": [GOLD, PURSE], "decks": [CARDS],
        "rounds": [OPEN, sealed, LATER], "roles": [{"name": "spy", "count": 1}], "teams": ["red", "blue"],
    }  # fmt: skip


def truths(fields: str, *, looked: bool) -> tuple[Truth, Truth]:
    """Return two contests in whose sealed round two of the seats have submitted something else, of which one has
    replaced it. In a `looked` one the host looked at the truth in the round before."""
    rng, options = Random(fields), {"content": content_of(fields)}
    table, batches = Table(GAME, options, SEATS, 0, Chance(seed=fields.encode())), []
    look = None
    while True:
        if table.due.dealer:
            batches.append(Batch(None, table.deal()))
            continue
        state = table.state
        if GAME.is_sealed(state):
            break
        seat = table.due.seats[0]
        look = len(batches)
        batches.append(Batch(seat, table.act(seat, submission(state, seat, rng))))
    for seat in (0, 2, 0):
        batches.append(Batch(seat, table.act(seat, submission(table.state, seat, rng))))
    truth = Truth(GAME, tuple(batches), options, SEATS, look if looked else None)
    return truth, truth.retold(list(resubmitted(table, rng)))


def submission(state: State, seat: int, rng: Random) -> dict[str, Any]:
    return {"type": "submit", "round": state.number, "values": to_json(forms.sample(state, seat, rng))}


def resubmitted(table: Table, rng: Random) -> Iterator[Event]:
    """Yield the log with other values of every submission to the sealed round."""
    state = table.game.open(table.options, table.seats, table.priority)
    for event in table.log:
        other = event
        while isinstance(event, Submitted) and GAME.is_sealed(state) and other.values == event.values:
            other = Submitted(event.seat, forms.sample(state, event.seat, rng))
        yield other
        state = table.game.evolve(state, other)


@dataclass(frozen=True)
class Official:
    """A reader of the match, and whether they looked at it before the round was sealed."""

    looked: bool = False
    is_organiser: bool = False

    def of(self, house: House) -> Guest:
        if self.is_organiser and not self.looked:
            return guest(is_organiser=True)
        Account.objects.filter(id=house.opener.id).update(is_organiser=self.is_organiser)
        return house.opener


OFFICIALS = {
    "host": Official(), "host who looked": Official(looked=True),
    "organiser": Official(is_organiser=True), "organiser who looked": Official(looked=True, is_organiser=True),
}  # fmt: skip


# Requests


def host_commands(world: World) -> Iterator[Answer]:
    """Yield the host's commands: what is legal, previews, refusals, and what is accepted; the last closes the round."""
    path, content = (
        f"/matches/{world.match}/legal",
        to_json(repository.load(UUID(world.match)).lifecycle.opened.options),
    )
    rounds = content["content"]["rounds"]
    changed = content["content"] | {"rounds": [*rounds[:2], rounds[2] | {"repeat": 1, "title": "New"}]}
    for query in ({}, {"as": "host"}, {"sample": 1}, {"as": "seat:0"}, {"as": "host", "sample": 1}):
        yield world.reader.get(path, query, **REQUEST)
    commands: list[Any] = [
        {"type": "amend", "content": changed, "reason": "Why."},
        {"type": "resolve", "round": 2, "points": {"0": 1}},
        {"type": "close", "round": 7}, {"type": "submit", "round": 2, "values": {}}, "close", "transfer 1 gold to 1",
    ]  # fmt: skip
    for command in commands:
        yield world.reader.send(world.match, command, dry_run=True, **REQUEST)
        yield world.reader.send(world.match, command, key=f"k{commands.index(command)}", **REQUEST)
    close = {"type": "close", "round": 2}
    yield world.reader.send(world.match, close, dry_run=True, **REQUEST)
    for _ in range(2):
        yield world.reader.send(world.match, close, key="close", **REQUEST)
    yield world.reader.get(f"/matches/{world.match}/commands/close", **REQUEST)
    yield world.reader.post(f"/matches/{world.match}/remind", **REQUEST)


def host_pages(world: World) -> Iterator[Answer]:
    """Yield the pages of the host's commands, with their previews and refusals."""
    browser, rounds = browser_of(world.reader.id), [to_json(it) for it in _spectators_rounds(world)]
    rounds[2] |= {"secret": False, "part": None, "fields": []}
    forms_of: dict[str, list[dict[str, Any]]] = {
        "judge/": [{"points-0": "1"}, {"points-0": "1", "step": "send"}],
        "amend/": [{"pasted": json.dumps({"rounds": rounds}), "reason": "Why."}, {"pasted": "{", "reason": "Why."}],
        "round-time/": [{"minutes": "0", "reason": ""}, {"minutes": "3", "reason": "Tea.", "key": "k"}],
        "close-round/": [{"round": "2", "line": "9"}, {"round": "9", "line": "0"}],
        "remind/": [{}, {}],
        "look/": [{}, {"back": "judge"}],
        "rewind/": [{"to_version": "999", "expected": "1", "reason": "No."}],
    }
    for part, bodies in forms_of.items():
        for query in ("", "?as=host", "?as=seat:0", "?round=2", "?round=1"):
            yield page(world, f"{ROOM}{part}{query}", browser)
        for body in bodies:
            yield page(world, f"{ROOM}{part}", browser, body)
    yield page(world, ROOM, browser)


def _spectators_rounds(world: World) -> Any:
    return feed.visible_state(UUID(world.match), HOST).state.rounds


def rewound(world: World) -> Iterator[Answer]:
    """Yield what a rewind into the sealed round answers, and the match afterwards."""
    path = f"/matches/{world.match}"
    yield world.reader.post(f"{path}/rewind", {"to_version": world.version - 1, "reason": "Again."}, **REQUEST)
    for query in ({}, {"as": "host"}, {"as": "host", "at": world.version}, {"as": "seat:0", "at": world.version}):
        yield world.reader.get(f"{path}/view", query, **REQUEST)
    yield world.reader.get(f"{path}/events", {"limit": 500}, **REQUEST)
    yield from (page(world, f"{ROOM}{query}") for query in ("", "?as=host"))


ADMIN: dict[str, Asks] = {
    "dashboard": gets("/admin/"),
    "disputes": gets("/admin/disputes/"),
    "log": gets("/admin/log/?match={code}", "/admin/log/{match}/9/"),
    "rows": gets("/admin/matches/match/{match}/change/", "/admin/matches/seat/?q={code}", "/admin/matches/notice/"),
    "access log": gets("/admin/access-log/", "/account/access-log"),
}


def notified(world: World) -> Iterator[Answer]:
    """Yield the texts of all calls and notices about the match, of its players and hosts."""
    match_calls._lookout._looked.clear()
    match_calls.queue_new_calls()
    match_calls.remind()
    notices.queue_new_notices()
    texts = [
        [it.way, it.kind, it.cause, *call_delivery.message(it, details=True)]
        for account in (*world.house.players, world.house.opener, world.reader)
        for it in Account.objects.get(id=account.id).calls.filter(match_id=world.match).order_by("made_at", "way")
    ]
    texts += [[it.kind, it.text] for it in Notice.objects.filter(match_id=world.match).order_by("made_at")]
    yield Answer(0, {}, json.dumps(texts).encode())


def logged(world: World) -> Iterator[Answer]:
    """Yield what the process logs meanwhile, without durations."""
    with capture_logs() as logs:
        for ask in (READS["readMatch"], READS["readView"], gets(ROOM, f"{ROOM}?as=host")):
            list(ask(world))
        for command in ("sing", {"type": "close", "round": 7}):
            world.reader.send(world.match, command, **REQUEST)
    lines = [{name: it for name, it in line.items() if not isinstance(it, float)} for line in logs]
    yield Answer(0, {}, json.dumps(lines, default=str).encode())


def measured(world: World) -> Iterator[Answer]:
    """Yield the names and labels of all metrics."""
    names = sorted({line.rpartition(" ")[0] for line in scraping.exposition().decode().splitlines()})
    yield Answer(0, {}, "\n".join(it for it in names if not re.search(r"created|bucket|process_|python_", it)).encode())


DOORS: dict[str, Mapping[str, Asks]] = {
    "rest": READS | ACTS | AS_HOST,
    "pages": PAGES,
    "panel": PANEL | ADMIN | {"host pages": host_pages},
    "commands": {"commands": host_commands},
    "rewind": {"rewind": rewound},
    "aside": {"notifications": notified, "logs": logged, "metrics": measured},
}


def cases() -> Iterator[tuple[str, str, str]]:
    yield from ((door, fields, official) for door in DOORS for fields in FIELDS for official in OFFICIALS)


def always() -> Iterator[tuple[str, str, str]]:
    """Yield each interface with one form and one official of each kind, who take turns."""
    officials = list(OFFICIALS)
    for place, door in enumerate(DOORS):
        for number, fields in enumerate(FIELDS):
            if number == place % len(FIELDS) or door == "commands":
                yield door, fields, officials[(place + number) % len(officials)]


def differing(asks: Mapping[str, Asks], fields: str, official: Official) -> list[str]:
    """Return the differences between the answers of two worlds to an official."""
    pair, house = truths(fields, looked=official.looked), House.new(SEATS)
    assert pair[0].log != pair[1].log
    reader, answers = official.of(house), []
    for truth in pair:
        world = World.lay(truth, house, reader, Asked([], [], []))
        answers.append([(name, world.masked(answer)) for name, ask in asks.items() for answer in ask(world)])
        world.clear()
    assert len(answers[0]) == len(answers[1]) >= len(asks)
    return [
        f"{name}: {_parting(here, there)}" for (name, here), (_, there) in zip(*answers, strict=True) if here != there
    ]


@pytest.mark.parametrize(("door", "fields", "official"), some_slow(cases(), always=frozenset(always())))
def test_sealed_submissions_change_no_byte_of_a_response_to_an_official(door: str, fields: str, official: str) -> None:
    assert differing(DOORS[door], fields, OFFICIALS[official]) == []


@pytest.mark.parametrize("official", some_slow(OFFICIALS, always=["host who looked"]))
def test_sealed_submissions_change_no_byte_of_a_frame_or_stream(official: str, site: str) -> None:
    web = Web(urlsplit(site).port or 0, 0, Path())

    def streams(world: World) -> Iterator[Answer]:
        for query in ("", "?after=3", "?as=host", "?as=seat:0&after=3"):
            with stream(
                web, world.reader, f"/matches/{world.match}/events{query}", **{"X-Request-ID": REQUEST_ID}
            ) as it:
                lines = it.iter_lines()
                text = it.read().decode() if it.status_code >= 400 else _until(lines, f'"version":{world.version},')
                yield Answer(it.status_code, {}, text.encode())

    asks = {"socket": frames_of(site), "streams": streams}
    assert differing(asks, "choices", OFFICIALS[official]) == []


def _until(lines: Iterator[str], last: str) -> str:
    """Return the lines of a stream up to the event with the last version."""
    texts = []
    for line in lines:
        texts.append(line)
        if last in line:
            break
    return "\n".join(texts)


def test_worlds_differ_for_the_seat_that_has_submitted() -> None:
    """The comparison notices a difference: the seat itself reads what it has submitted."""
    pair, house = truths("bids", looked=False), House.new(SEATS)
    worlds = [World.lay(truth, house, house.players[0], Asked([], [], [])) for truth in pair]
    here, there = (world.masked(next(READS["readView"](replace(world, reader=house.players[0])))) for world in worlds)
    views = [world.reader.get(f"/matches/{world.match}/view").json["view"]["entries"] for world in worlds]
    assert views[0] != views[1] and here[0] == there[0] == 200
    assert Match.objects.filter(id__in=[world.match for world in worlds]).count() == 2


def test_pages_of_the_panel_that_are_compared_are_shown_to_an_organiser() -> None:
    truth, house = truths("bids", looked=False)[0], House.new(SEATS)
    world = World.lay(truth, house, guest(is_organiser=True), Asked([], [], []))
    assert [(name, it.status) for name, ask in ADMIN.items() for it in ask(world) if it.status != 200] == []


def test_official_who_is_shown_the_truth_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    view: Callable[..., Any] = feed.view
    monkeypatch.setattr(feed, "view", lambda match_id, witness, upto=None: view(match_id, HOST, upto))
    assert differing({"readView": READS["readView"]}, "bids", OFFICIALS["host"]) != []
