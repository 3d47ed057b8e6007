"""A connection: a socket or a stream, its state of delivery, and why it closes."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import NamedTuple
from uuid import UUID, uuid4

from matches.http.authentication import Credential
from matches.publishing.presence import Present


class CloseReason(NamedTuple):
    """A WebSocket close code, and a sentence for the user."""

    code: int
    reason: str


NOT_SIGNED_IN = 4401
NOT_YOURS = 4403
TOO_SLOW = 4408
OVER = 4410
TOO_MANY = 4429
COME_AGAIN = 1012
TRY_LATER = 1013

SIGNED_OUT = CloseReason(NOT_SIGNED_IN, "Your session or token is no longer good. Log in again.")
UNSEEN = CloseReason(NOT_YOURS, "This match is no longer yours to watch.")
SEAT_LOST = CloseReason(NOT_YOURS, "You no longer hold this seat.")
SEAT_TAKEN = CloseReason(COME_AGAIN, "Your seat has changed. Connect again.")
AGED = CloseReason(COME_AGAIN, "The connection is old. Connect again from your last version.")
FALLEN_BEHIND = CloseReason(TOO_SLOW, "You read too slowly. Connect again from your last version.")
MATCH_OVER = CloseReason(OVER, "The match is over.")
LOST = CloseReason(NOT_YOURS, "The house has lost this match: the database was set back to before it was opened.")
GIVEN_AWAY = CloseReason(
    TRY_LATER, "All places are taken, and your address holds the most; another one got this. Connect again in a moment."
)
AWAY = CloseReason(TRY_LATER, "The match can't be read right now. Connect again in a moment.")


ACCEPTED_KEPT = 64
"""Number of accepted commands that a connection remembers, in case the database loses them."""


class Connection:
    """An open connection at a match, or for an account's turn alerts. At most one wake-up is pending.

    accepted: the idempotency keys of the last commands accepted over this connection.
    form: the form of its frames (`matches.http.renderers`), empty for JSON.
    version: the last version that was sent; `history` is the match's history (see `Group`) to which it belongs.
    resend_until: the client may have received frames up to this version before.
    sent_present: the presence that was last sent.
    write: sends a text over a socket without waiting; returns False and sends nothing while the client hasn't
        read earlier texts.
    """

    def __init__(self, account: UUID | None, credential: Credential, *, form: str = "") -> None:
        self.account = account
        self.name = str(account or uuid4())
        self.credential = credential
        self.form = form
        self.version = 0
        self.resend_until = 0
        self.history = 0
        self.accepted: deque[str] = deque(maxlen=ACCEPTED_KEPT)
        self.sent_present = Present()
        self.close_reason: CloseReason | None = None
        self.write: Callable[[str], bool] | None = None
        self._woken = False
        self._waiting: asyncio.Future[None] | None = None

    def wake(self) -> None:
        """Signal that there is something to send."""
        self._woken = True
        self._end_wait()

    def send_at_once(self, since: int, to: int, text: str) -> bool:
        """Send the frame of the versions `since` to `to` now. Return False if the connection must be woken instead: it
        isn't at the version before `since`, has something else to send first, or its client doesn't read."""
        if self._waiting is None or self._woken or self.version != since - 1 or self.form or self.write is None:
            return False
        if not self.write(text):
            return False
        self.version = to
        return True

    def end(self, close_reason: CloseReason) -> None:
        """Close the connection; the first reason is kept."""
        if self.close_reason is None:
            self.close_reason = close_reason
        self.wake()

    async def wait(self, seconds: float) -> bool:
        """Wait until `wake` is called, for at most so many seconds; return False after a timeout."""
        # Use a future and a timer: asyncio's timeout and event take as long as sending a frame, and in Python 3.11
        # wait_for loses a cancellation that coincides with its result; then a client that disconnects at that moment
        # would be sent the match's frames for ever.
        if not self._woken:
            loop = asyncio.get_running_loop()
            self._waiting = loop.create_future()
            timer = loop.call_later(seconds, self._end_wait)
            try:
                await self._waiting
            finally:
                timer.cancel()
                self._waiting = None
        woken, self._woken = self._woken, False
        return woken

    def _end_wait(self) -> None:
        """Complete the pending wait."""
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)
