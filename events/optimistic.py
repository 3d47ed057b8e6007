"""An append at an expected version: one round trip for a caller who knows the stream's head and has decided already.

Nothing is locked before. The database itself refuses the append where the head has moved on or belongs to another
history, where the key has been used, or where its own clock contradicts the instant. Then nothing has changed, and the
caller decides again in a `StreamTransaction`.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from uuid import UUID

import psycopg

from events import estimated_clock
from events.appending import commit, sealed
from events.pipeline import Statement
from events.records import Head, NewEvent, Recorded, StreamConflict
from events.store import idle_connection, roll_back


class NotVouchedFor(Exception):
    """The database's clock differs from this process's estimate of it."""


class OptimisticAppend:
    """A stream as the caller last saw it: its head, and `arrived_at` by the estimate of the database's clock."""

    def __init__(self, stream: UUID, head: Head, arrived_at: datetime, *, actor: str, key: str | None = None) -> None:
        self.stream = stream
        self.head = head
        self.arrived_at = arrived_at
        self.actor = actor
        self._key = key

    def append(
        self,
        events: Sequence[NewEvent],
        *,
        expected: int,
        fingerprint: bytes | None = None,
        response: Callable[[Sequence[Recorded]], bytes | None] | None = None,
        also: Sequence[Statement] = (),
    ) -> list[Recorded]:
        """Append all events of one command after version `expected` and commit, as `StreamTransaction.append` does.

        Raises StreamConflict, also where the key was used before, and NotVouchedFor. `response` can't ask the database:
        it is made while the rows are on their way.
        """
        if self.head.version != expected:
            raise StreamConflict(self.stream, expected)
        connection = idle_connection()
        rows = sealed(events, self.head, stream=self.stream, actor=self.actor, at=self.arrived_at)
        try:
            shown = commit(
                connection, self.stream, rows, estimated=True,
                closed=False, key=self._key, fingerprint=fingerprint, response=response or _none, also=also,
            )  # fmt: skip
        except BaseException as error:
            roll_back(connection)
            if isinstance(error, psycopg.errors.SerializationFailure):
                raise NotVouchedFor(str(error)) from error
            raise
        estimated_clock.read_off(shown)
        return rows


def _none(_: Sequence[Recorded]) -> None:
    """No response is stored."""
