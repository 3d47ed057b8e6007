"""Matches whose players are programs that know only the frames of their sockets."""

import asyncio
import json
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random
from time import perf_counter
from typing import Any
from uuid import UUID, uuid4

from benchmarks._lines import Line, open_line

GAME = "pyramid_poker"
"""Its draws are made with the moves, so that no worker need deal between them."""


@dataclass
class Seat:
    """A player over a socket: the version and view that it has received."""

    number: int
    token: str
    line: Line | None = None
    version: int = 0
    view: Any = None
    due: Any = None
    times: dict[int, float] = field(default_factory=dict)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    def take(self, text: bytes) -> None:
        """Handle a frame."""
        at = perf_counter()
        frame = json.loads(text)
        if frame["kind"] in ("hello", "events"):
            self.version = frame.get("to", frame.get("version"))
            self.view, self.due = frame.get("view", self.view), frame["due"]
            self.times[self.version] = at
            self.news.set()
        elif frame["kind"] == "refused":
            raise RuntimeError(frame["problem"]["detail"])


class Table:
    """A match with both seats connected over sockets."""

    def __init__(self, port: int) -> None:
        self.port, self.rng = port, Random(1)
        self.match, tokens = new_match()
        self.seats = [Seat(number, token) for number, token in enumerate(tokens)]

    async def sit(self) -> None:
        """Connect both seats."""
        for seat in self.seats:
            seat.line = await open_line(self.port, self.match, seat.token, seat.take)
        await self._until(lambda: all(seat.version for seat in self.seats))

    @property
    def over(self) -> bool:
        """True if no seat is to move any more."""
        return not self.seats[0].due["prompts"]

    @property
    def connected(self) -> int:
        """The number of seats that the house has not disconnected, as it does when the match is over."""
        return sum(seat.line is not None and not seat.line.lost.done() for seat in self.seats)

    async def move(self) -> tuple[float, float]:
        """Make one move of the seat that is to move; return when it was sent, and the seconds until the other seat
        received it."""
        from games import catalogue
        from games.kernel import to_json

        mover = self.seats[self.seats[0].due["prompts"][0]["seat"]]
        other, before = self.seats[1 - mover.number], mover.version
        game = catalogue[GAME]
        command = to_json(game.bot(game.read_state(mover.view), mover.number, self.rng))
        assert mover.line is not None
        sent, key = perf_counter(), str(uuid4())
        mover.line.say(kind="command", id=key, command=command, expected=before)
        await self._until(lambda: all(seat.version > before for seat in self.seats))
        return sent, other.times[other.version] - sent

    async def _until(self, holds: Any) -> None:
        async with asyncio.timeout(60):
            while not holds():
                for seat in self.seats:
                    seat.news.clear()
                waits = [asyncio.ensure_future(seat.news.wait()) for seat in self.seats]
                await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
                for wait in waits:
                    wait.cancel()

    def leave(self) -> None:
        """Close the connections."""
        for seat in self.seats:
            if seat.line is not None:
                seat.line.transport.abort()


def new_match() -> tuple[str, list[str]]:
    """Open and start a match without clocks; return its id and its players' tokens."""
    from matches.services import opening, playing

    players = [new_player() for _ in range(2)]
    opened = opening.open_match(
        opener=players[0][0], game=GAME, options={}, seats=[opening.SeatRequest(id) for id, _ in players]
    )
    opening.start(match_id=opened.match_id, by=players[0][0], reason="A measurement.")
    playing.attend(match_id=opened.match_id)
    return str(opened.match_id), [token for _, token in players]


def new_player() -> tuple[UUID, str]:
    """Return an account and its token."""
    from django.utils import timezone

    from matches.http import tokens
    from matches.http.scopes import SCOPES
    from matches.models import AccessToken, Account

    account = Account.objects.create_user(f"p{uuid4().hex[:20]}")
    new_token = tokens.new_token()
    AccessToken.objects.create(
        account=account, prefix=new_token.prefix, digest=new_token.digest, scopes=list(SCOPES),
        expires_at=timezone.now() + timedelta(hours=2),
    )  # fmt: skip
    return account.id, new_token.token
