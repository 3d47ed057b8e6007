"""A connection: a socket or a stream, what was sent over it so far, and why it closes."""

import asyncio
from collections import deque
from typing import NamedTuple
from uuid import UUID, uuid4

from matches.http.authentication import Credential
from matches.publishing.presence import Present


class CloseReason(NamedTuple):
    """Why a connection closes: a close code of the WebSocket and a sentence."""

    code: int
    reason: str


LOG_IN = 4401
NOT_YOURS = 4403
TOO_SLOW = 4408
OVER = 4410
TOO_MANY = 4429
COME_AGAIN = 1012
LATER = 1013

SIGNED_OUT = CloseReason(LOG_IN, "Your session or token is no longer good. Log in again.")
UNSEEN = CloseReason(NOT_YOURS, "This match is no longer yours to watch.")
SEAT_LOST = CloseReason(NOT_YOURS, "You no longer hold this seat.")
SEAT_TAKEN = CloseReason(COME_AGAIN, "Your seat has changed. Connect again.")
AGED = CloseReason(COME_AGAIN, "The connection is old. Connect again from your last version.")
FALLEN_BEHIND = CloseReason(TOO_SLOW, "You read too slowly. Connect again from your last version.")
MATCH_OVER = CloseReason(OVER, "The match is over.")
LOST = CloseReason(NOT_YOURS, "The house has lost this match: the database was set back to before it was opened.")
AWAY = CloseReason(LATER, "The house can't look right now. Connect again in a moment.")


ACCEPTED_KEPT = 64
"""How many accepted commands a connection remembers, in case the database loses them."""


class Connection:
    """An open connection at a match, or for an account's turn alerts. At most one wake-up is pending.

    `accepted` are the keys of the last commands that were accepted over this connection. What it is told up to
    `asks_again_until` it may have been told before.
    """

    def __init__(self, account: UUID | None, credential: Credential, *, form: str = "") -> None:
        self.account = account
        self.name = str(account or uuid4())
        self.credential = credential
        self.form = form
        self.version = 0
        self.asks_again_until = 0
        self.history = 0
        self.accepted: deque[str] = deque(maxlen=ACCEPTED_KEPT)
        self.told_present = Present()
        self.close_reason: CloseReason | None = None
        self.woken = asyncio.Event()

    def wake(self) -> None:
        """There is something to send."""
        self.woken.set()

    def end(self, close_reason: CloseReason) -> None:
        """Close the connection; the first reason stands."""
        if self.close_reason is None:
            self.close_reason = close_reason
        self.woken.set()

    async def wait(self, seconds: float) -> bool:
        """Wait to be woken, at most so long; False where nothing came."""
        try:
            # Python 3.11's asyncio.wait_for forgets a cancellation that comes together with what it waits for; a client
            # that left in that moment would be sent the match's frames for ever.
            async with asyncio.timeout(seconds):
                await self.woken.wait()
        except TimeoutError:
            return False
        self.woken.clear()
        return True
