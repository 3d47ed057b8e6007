"""The wall between table and spectators: two worlds that differ in what spectators say, and in nothing else.

All that a seat may ask at any door, or is told without asking, is the same byte for byte: no remark, no count, no tag,
no number tells it that anything was said. The board of a season is asked, too, where a spectator says it there.
"""

from collections.abc import Callable, Iterator, Mapping
from difflib import unified_diff
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from matches.domain import talk
from tests.api.guests import Answer
from tests.cases import some_slow
from tests.live.test_streams import stream
from tests.live.watching import House as Web
from tests.two_worlds.pages import PAGES, season_around
from tests.two_worlds.rest import ACTS, READS, REQUEST
from tests.two_worlds.worlds import REQUEST_ID, Asks, House, World, commands, richest_pair

FEW = {
    "readMatch", "listEvents", "listRemarks", "readRemark", "readTalk", "listMutes", "listMatches", "listMyMatches",
    "streamCalls", "exportMatch", "auditMatch", "listHistory", "searchHistory", "listNotices", "sayRemark", "whoAmI",
    "hideRemark", "readMoment",
}  # fmt: skip
MaskedAnswer = tuple[int, list[tuple[str, str]], bytes]
TALKED_ABOUT = {name: ask for name, ask in (READS | ACTS).items() if name in FEW}


def gossip(world: World) -> None:
    """Post remarks of spectators, and moderate them as a host."""
    watcher, host = world.house.watcher, world.house.opener
    path = f"/matches/{world.match}/remarks"
    for text in ("He holds the nine.", "https://example.org/nine", "She can't win."):
        assert watcher.post(path, {"text": text}).status == 201
    assert host.post(path, {"text": "Quiet, please."}).status == 201
    assert host.post(f"{path}/spectators/1/hide", {"reason": "Named a brick."}).status == 200
    mute = {"account": watcher.id, "span": "match", "reason": "Named a brick."}
    assert host.post(f"/matches/{world.match}/mutes", mute).status == 201


def silence(world: World) -> None:
    """Nobody says anything."""


def told_apart(asks: Mapping[str, Asks], seat: int, happens: Callable[[World], None] = gossip) -> list[str]:
    """Return the responses to a seat that differ if spectators talk, each with its first difference."""
    truth, house = richest_pair("pyramid_poker", seat)[0], House.new()
    requests, answers = commands(truth, truth, seat), []
    for act in (silence, happens):
        world = World.lay(truth, house, house.as_whom(seat), requests)
        act(world)
        answers.append([(name, world.masked(answer)) for name, ask in asks.items() for answer in ask(world)])
        world.clear()
    assert len(answers[0]) >= len(asks)
    return [
        f"{name}: {_difference(here, there)}"
        for (name, here), (_, there) in zip(*answers, strict=True)
        if here != there
    ]


def _difference(here: MaskedAnswer, there: MaskedAnswer) -> str:
    lines = [
        [f"{status} {headers}", *body.decode(errors="replace").splitlines()] for status, headers, body in (here, there)
    ]
    return " | ".join(line for line in unified_diff(*lines, lineterm="", n=0) if line[:3] not in ("---", "+++"))[:2000]


@pytest.mark.parametrize("seat", some_slow([0, 1], always=[1]))
def test_spectators_talk_changes_no_response_to_a_seat(seat: int) -> None:
    assert told_apart(TALKED_ABOUT | PAGES, seat) == []


def test_spectators_talk_changes_no_frame_of_a_seat(site: str) -> None:
    web = Web(urlsplit(site).port or 0, 0, Path())

    def frames(world: World) -> list[Answer]:
        with web.watch(world.reader, world.match, "?talk=1") as watcher:
            response = world.house.players[1].post(
                f"/matches/{world.match}/remarks", {"text": "Hm.", "thread": "table"}
            )
            watcher.until(lambda it: response.json in it.get("remarks", ()))
            return [Answer(0, {}, text.encode()) for text in sorted(watcher.raw) if "presence" not in text]

    def in_the_end(world: World) -> list[Answer]:
        # Where spectators talk at the same time, the seat's frames are those of the table all the same.
        talk_bodies = {answer.body.replace(b'"remarks":[]', b"") for answer in frames(world)}
        assert not any(b"nine" in body or b'"spectators"' in body for body in talk_bodies)
        return [Answer(0, {}, b"\n".join(sorted(body for body in talk_bodies if b'"kind":"talk"' not in body)))]

    assert told_apart({"socket": lambda world: iter(in_the_end(world))}, 0) == []


def test_spectators_talk_changes_no_line_of_a_seats_streams(site: str) -> None:
    web, named = Web(urlsplit(site).port or 0, 0, Path()), {"X-Request-ID": REQUEST_ID}

    def lines(world: World) -> Iterator[Answer]:
        match = f"/matches/{world.match}"
        with (
            stream(web, world.reader, f"{match}/events") as events,
            stream(web, world.reader, f"{match}/remarks?thread=table") as table,
            stream(web, world.reader, f"{match}/remarks?thread=spectators", **named) as wall,
        ):
            event_lines, table_lines = events.iter_lines(), table.iter_lines()
            begun = [next(event_lines), next(table_lines)]
            response = world.house.players[1].post(f"{match}/remarks", {"text": "Hm.", "thread": "table"})
            assert response.status == 201
            while '"Hm."' not in (line := next(table_lines)):
                pass
            assert wall.status_code == 403
            # What its host says at the table is for the seat, too.
            assert not any("nine" in text or '"spectators"' in text for text in (*begun, line))
            for text in (begun[0], wall.read().decode()):
                yield Answer(0, {}, text.encode())

    assert told_apart({"streams": lines}, 0) == []


def test_board_of_a_season_reveals_no_remark_since_the_start_to_a_seat() -> None:
    def on_the_board(world: World) -> None:
        season = board_of(world)
        watcher = world.house.watcher
        assert watcher.post(f"/seasons/{season}/board/1", {"text": "He holds the nine."}).status == 201

    def board_of(world: World) -> str:
        if world.match not in seasons:
            seasons[world.match] = season_around(world)
        return seasons[world.match]

    seasons: dict[str, str] = {}

    def read_board(world: World) -> list[Answer]:
        season = board_of(world)
        thread = f"/seasons/{season}/board/1"
        answers = [
            world.reader.get(f"/seasons/{season}/board", **REQUEST),
            world.reader.get(thread, **REQUEST),
            world.reader.get(thread, {"after": 0}, **REQUEST),
            world.reader.get(f"{thread}/1", **REQUEST),
            world.reader.get(thread, Accept="text/event-stream", **REQUEST),
        ]
        return [Answer(it.status, {}, it.body.replace(season.encode(), b"s" * 36)) for it in answers]

    assert told_apart({"board": lambda world: iter(read_board(world))}, 0, on_the_board) == []


@pytest.mark.slow
def test_server_without_the_wall_is_detected(monkeypatch: pytest.MonkeyPatch) -> None:
    rights = talk.rights

    def open_to_all(story: object, account: str | None, **more: object) -> talk.Rights:
        own_rights = rights(story, account, **more)  # type: ignore[arg-type]
        return talk.Rights(talk.MatchThread.__args__, own_rights.writes, own_rights.moderates)  # type: ignore[attr-defined]

    monkeypatch.setattr(talk, "rights", open_to_all)
    assert {"listRemarks", "readRemark"} <= set(told_apart(TALKED_ABOUT, 0))
