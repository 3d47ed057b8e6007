"""Those who watch: a socket or a stream, what it has been told so far, and how it ends."""

import asyncio
from collections import deque
from typing import NamedTuple
from uuid import UUID, uuid4

from matches.publishing.presence import Present
from matches.realtime.access import Credential


class CloseReason(NamedTuple):
    """Why a member is shown out: a close code of the WebSocket and a sentence."""

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
"""Of how many of its accepted commands a connection knows, should the house lose them."""


class Connection:
    """One who is told of a match, or of an account's calls. At most one wake-up is pending, whatever has happened.

    `accepted` are the keys of the last commands that were accepted over this connection.
    """

    def __init__(self, account: UUID | None, credential: Credential, *, form: str = "") -> None:
        self.account = account
        self.name = str(account or uuid4())
        self.credential = credential
        self.form = form
        self.version = 0
        self.history = 0
        self.accepted: deque[str] = deque(maxlen=ACCEPTED_KEPT)
        self.told_present = Present()
        self.close_reason: CloseReason | None = None
        self.woken = asyncio.Event()

    def wake(self) -> None:
        """There is something to be told."""
        self.woken.set()

    def end(self, close_reason: CloseReason) -> None:
        """Show the member out; the first reason stands."""
        if self.close_reason is None:
            self.close_reason = close_reason
        self.woken.set()

    async def wait(self, seconds: float) -> bool:
        """Wait to be woken, at most so long; False where nothing came."""
        try:
            # Python 3.11's asyncio.wait_for forgets a cancellation that comes together with what it waits for; whoever
            # left in that moment would be told of the match for ever.
            async with asyncio.timeout(seconds):
                await self.woken.wait()
        except TimeoutError:
            return False
        self.woken.clear()
        return True
