"""Commands over real sockets take the fast way, and are answered and told as all others are."""

import re
from random import Random
from uuid import UUID

import httpx

from games import catalogue
from games.kernel import to_json
from matches.services import fast_way
from tests.api.guests import Guest, guest, started
from tests.live.watching import House, Watcher
from tests.plain_http import NOBODY

MOVES = 12
LEFT = re.compile(r'^croupier_fast_way_left_total\{why="(\w+)"\} (\S+)$', re.MULTILINE)


def left(web: House) -> dict[str, float]:
    """Return the number of commands that left the fast way, by reason."""
    exposition = httpx.get(f"{web.origin}/metrics", verify=NOBODY).text
    return {why: float(times) for why, times in LEFT.findall(exposition)}


def move(seats: list[Watcher], number: int) -> str:
    """One move over the socket of whoever is waited for; what it was answered with."""
    due = next(frame["due"] for frame in reversed(seats[0].frames) if "due" in frame)
    mover = due["prompts"][0]["seat"]
    game = catalogue["pyramid_poker"]
    command = to_json(game.bot(game.read_state(seats[mover].view), mover, Random(number)))
    answer = seats[mover].command(command, expected=seats[mover].version)
    for watcher in seats:
        watcher.reach(answer["version"])
    return str(answer["kind"])


def test_moves_on_the_fast_path_are_answered_published_and_stored(web: House) -> None:
    players: list[Guest] = [guest(), guest()]
    match = started("pyramid_poker", *players)
    before = left(web)
    with web.watch(players[0], match) as first, web.watch(players[1], match) as second:
        assert [move([first, second], number) for number in range(MOVES)] == ["accepted"] * MOVES
        assert first.events and [it["version"] for it in first.events] == [it["version"] for it in second.events]
        head = first.version
    why = {reason: times - before.get(reason, 0) for reason, times in left(web).items()}
    # The first of the match, and the first of a seat; on a busy machine one that took long.
    assert sum(why.values()) < MOVES, why
    assert not why.get(fast_way.NOT_RUNNING) and not why.get(fast_way.OUTAGE), why
    document = players[0].get(f"/matches/{match}").json
    assert UUID(document["id"]) == UUID(match) and document["version"] == head
