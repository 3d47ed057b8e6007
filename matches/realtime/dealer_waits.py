"""Retry commands that are refused because the dealer must act first, without holding a thread or a connection.

Most of them are sent right after a start: the opener has got the response, and a worker is about to deal.
"""

import asyncio
import time
from contextlib import ExitStack
from typing import Final
from uuid import UUID

from games.kernel import HOST
from matches.http.addresses import network
from matches.http.asgi import Application, Message, Receive, ReplayableReceive, Send
from matches.http.commands import AWAITED
from matches.http.database_threads import reading
from matches.http.limits import COUNTED
from matches.http.open_connections import connection_slots
from matches.http.problems import Problem
from matches.reads import feed

PATIENCE_SECONDS: Final = 2.0
_FIRST_CHECK_SECONDS, _SECONDS_BETWEEN_CHECKS = 0.03, 0.25


class DealerWaits:
    """ASGI middleware that retries a command refused because the dealer must act first, for at most two seconds: over
    REST, and from a page's form. The command's key ensures that it is played once, and it counts against the account's
    limit once."""

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "POST" or not scope["path"].endswith("/commands"):
            await self.application(scope, receive, send)
            return
        until, replayable, refusal = time.monotonic() + PATIENCE_SECONDS, ReplayableReceive(receive), list[Message]()

        async def hold(message: Message) -> None:
            """Hold back only the refusal."""
            if AWAITED in scope:
                refusal.append(message)
            else:
                await send(message)

        await self.application(scope, replayable, hold)
        if not refusal:
            return
        with ExitStack() as places:
            has_place = _takes_place(scope, places)
            while has_place and refusal and await has_dealt(scope[AWAITED].match_id, until):
                scope[COUNTED] = scope.pop(AWAITED).limit_headers
                refusal.clear()
                await self.application(scope, replayable.again(), hold)
        for message in refusal:
            await send(message)


def _takes_place(scope: Message, held: ExitStack) -> bool:
    """True if the caller may have one more waiting request; these count like long polls."""
    address, account = (scope.get("client") or ("",))[0], str(scope[AWAITED].account)
    try:
        with ExitStack() as taken:
            connection_slots().hold("address", network(address), taken)
            connection_slots().hold("account", account, taken)
            held.push(taken.pop_all())
    except Problem:
        return False
    return True


async def has_dealt(match_id: UUID, until: float) -> bool:
    """Return True if the dealer of a match has acted before this instant of the monotonic clock."""
    pause = _FIRST_CHECK_SECONDS
    while (seconds_left := until - time.monotonic()) > 0:
        await asyncio.sleep(min(pause, seconds_left))
        pause = min(2 * pause, _SECONDS_BETWEEN_CHECKS)
        if not await reading(_is_dealer_due)(match_id):
            return True
    return False


def _is_dealer_due(match_id: UUID) -> bool:
    return feed.visible_state(match_id, HOST).due.dealer
