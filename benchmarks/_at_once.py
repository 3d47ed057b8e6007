"""Moves by the fast way, without HTTP or sockets: decided on an event loop, stored by its writer, for one client or
several."""

import asyncio
from collections import deque
from time import perf_counter, thread_time
from typing import Any

import uvloop

from benchmarks._side import script
from benchmarks._tables import new_player


class Clients:
    """Concurrent clients that each make one move after the other; counts how much of the time was computing."""

    def __init__(self, many: int) -> None:
        self._loop = uvloop.new_event_loop()
        self._clients = [deque[Any]() for _ in range(many)]
        self.moved, self.computed, self.waited = 0, 0.0, 0.0

    def run(self, moves: int) -> float:
        """Make so many moves in all; return the seconds they took."""
        from matches.storage import outages

        share = max(1, moves // len(self._clients))
        for client in self._clients:
            while len(client) < share:
                client += _moves_of_a_match()
        outages.load_silence()
        begun, computed = perf_counter(), thread_time()
        self._loop.run_until_complete(self._play(share))
        seconds, computed = perf_counter() - begun, thread_time() - computed
        self.moved += share * len(self._clients)
        self.computed += computed
        self.waited += seconds - computed
        return seconds * moves / (share * len(self._clients))

    async def _play(self, share: int) -> None:
        await asyncio.gather(*(_play(client, share) for client in self._clients))


async def _play(client: deque[Any], share: int) -> None:
    from matches.services.fast_way import FellBack, submit_at_once

    for _ in range(share):
        response = await submit_at_once(*client.popleft())
        if isinstance(response, FellBack):
            raise RuntimeError(f"A move left the fast way: {response.why}")


def _moves_of_a_match() -> list[Any]:
    """Return the moves of a new match that this process has in its cache, and the sender of each."""
    from games import catalogue
    from matches.models import AccessToken
    from matches.services import opening, playing
    from matches.services.playing import Submission
    from matches.storage import repository
    from matches.storage.batch import Sender

    players = [new_player()[0] for _ in range(2)]
    tokens = [AccessToken.objects.get(account_id=player).id for player in players]
    senders = [Sender(player, token, None, None, None) for player, token in zip(players, tokens, strict=True)]
    seats = [opening.SeatRequest(player) for player in players]
    opened = opening.open_match(opener=players[0], game="pyramid_poker", options={}, seats=seats)
    opening.start(match_id=opened.match_id, by=players[0], reason="")
    first = repository.load(opened.match_id).version
    submissions = [
        (Submission(opened.match_id, seat, str(players[seat]), it, str(since), b"f" * 32, first + since), senders[seat])
        for seat, it, since, _ in script(opened.match_id, catalogue["pyramid_poker"], 1000, 1)
    ]
    while repository.load(opened.match_id).lifecycle.awaited:
        # A player accepts the match by the first move, which is not a typical one.
        playing.submit(**submissions.pop(0)[0]._asdict())
    return submissions
