"""The fast path of a command: decided on the event loop from memory, and stored by the writer with other commands.

It serves usual moves only. Anything unusual, or not decidable from memory, falls back with a named reason and without
any change; then `playing.submit` decides in a thread under the stream's lock. The event loop runs no query except the
writer's statement: Django raises SynchronousOnlyOperation for any other.
"""

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from django.core.exceptions import SynchronousOnlyOperation

from events import chain, distribution, estimated_clock
from events.appending import Sealed, SealedCommand, sealed
from events.records import Head, Point, Recorded
from events.writer import Writer
from games.kernel import Illegal
from matches.domain import clocks
from matches.domain.match_state import MatchState
from matches.reads import feed
from matches.services import pace
from matches.services.appending import Draft, beside, committed
from matches.services.playing import (
    Accepted,
    NotAllowed,
    Submission,
    Typed,
    VersionMoved,
    drafted,
    too_early,
)
from matches.storage import outages, repository
from matches.storage.batch import STATEMENT, Sender


class FellBack(NamedTuple):
    """A command that the fast path didn't take. Nothing has changed; `why` is one of the reasons below."""

    why: str


NOT_CACHED: Final = "not_cached"
OTHER_VERSION: Final = "other_version"
NOTATION: Final = "notation"
NOT_RUNNING: Final = "not_running"
STAND_INS: Final = "stand_ins"
OFFERS: Final = "offers"
OUTAGE: Final = "outage"
SLOW: Final = "slow"
TEXTS: Final = "texts"
"""The command has a text, which is stored in a table that the writer doesn't know."""
REFUSED: Final = "refused"
NOT_IN_MEMORY: Final = "not_in_memory"
NOT_TAKEN: Final = "not_taken"
"""Another command of the match is being stored, a flag may have fallen, or the database was unreachable a moment
ago."""
DISTRIBUTED: Final = "distributed"
"""Commands of several matches may be on several nodes, so one commit can't store them together."""
NOT_STORED: Final = "not_stored"
"""The database refused it: the match has moved on, its key was used, its sender may no longer play, or the like."""

URGENT_SECONDS = 30
"""A match whose next flag falls within this time doesn't wait in the queue."""

Listener = Callable[[UUID, Point, Sequence[Recorded]], None]
listeners: list[Listener] = []
"""Functions called on the event loop after a commit, with the match, the point before it, and the new rows."""


class _Fallback(Exception):
    """The command isn't a usual move."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def is_urgent(match_state: MatchState) -> bool:
    """True if a flag of the match falls soon, or the time isn't known. No I/O."""
    now, deadlines = estimated_clock.now(), clocks.deadlines(match_state.clocks)
    if not deadlines:
        return False
    return now is None or deadlines[0].falls_at - chain.microseconds(now) < URGENT_SECONDS * clocks.SECOND


def longest_wait() -> float:
    """Return for how many seconds the oldest command in this event loop's writer has waited; 0 if none waits."""
    writer = _writers.get(asyncio.get_running_loop())
    return 0.0 if writer is None else writer.longest_wait()


async def submit_at_once(submission: Submission, sender: Sender) -> Accepted | FellBack:
    """Decide a seat's command on the newest version that this process has cached, and store it. The sender's right to
    play is checked in the same commit."""
    if distribution.is_distributed():
        return FellBack(DISTRIBUTED)
    try:
        draft = _draft(submission)
    except _Fallback as fallback:
        return FellBack(fallback.why)
    act = _Act(submission, sender, draft)
    if not _writer().put(submission.match_id, act.seal, act.landed, urgent=is_urgent(draft.before)):
        return FellBack(NOT_TAKEN)
    return await act.result


def _draft(submission: Submission) -> Draft:
    """Return the draft of a usual command; raises _Fallback."""
    match_state = repository.cached_state(submission.match_id)
    if match_state is None:
        raise _Fallback(NOT_CACHED)
    if why := _unusual(submission, match_state):
        raise _Fallback(why)
    try:
        draft = drafted(submission, match_state)
    except (Illegal, VersionMoved, NotAllowed):
        # The cached version may be outdated: the refusal is decided again at the locked head.
        raise _Fallback(REFUSED) from None
    except SynchronousOnlyOperation:
        raise _Fallback(NOT_IN_MEMORY) from None
    if draft.kept:
        raise _Fallback(TEXTS)
    return draft


def _unusual(submission: Submission, match_state: MatchState) -> str:
    """Return the reason why a command on this version isn't a usual move; empty if it may be one."""
    lifecycle = match_state.lifecycle
    if match_state.version != submission.expected or submission.held not in (b"", match_state.hash):
        return OTHER_VERSION
    if isinstance(submission.command, Typed):
        return NOTATION
    if lifecycle.status != "running":
        return NOT_RUNNING
    if lifecycle.stand_ins:
        return STAND_INS
    if lifecycle.offers.waiting:
        return OFFERS
    if not outages.is_current():
        return OUTAGE
    return SLOW if pace.is_slow(match_state.game.slug) else ""


class _Act:
    """A drafted command while the writer stores it."""

    def __init__(self, submission: Submission, sender: Sender, draft: Draft) -> None:
        self._submission, self._sender, self._draft = submission, sender, draft
        self.result: asyncio.Future[Accepted | FellBack] = asyncio.get_running_loop().create_future()

    def seal(self, arrived_at: datetime, now: datetime) -> SealedCommand | None:
        """Return the command, judged by its arrival; None if a flag or an outage comes first, or the match isn't open
        yet."""
        submission, before = self._submission, self._draft.before
        # The command responds to the last event, so it arrived after it, even if the estimated clock is behind.
        arrival = max(chain.microseconds(arrived_at), before.at + 1)
        if clocks.overdue(before.clocks, arrival) or too_early(before, submission.seat, arrival):
            return None
        at = clocks.latest_at(before.clocks, clocks.number_of(submission.seat), arrival, chain.microseconds(now))
        if outages.may_concern(before, at):
            return None
        dated = chain.instant(at)
        self._draft = draft = self._draft._replace(after=self._draft.after.happened(at))
        head = Head(before.version, before.hash, closed=False)
        rows = sealed(draft.packed, head, stream=submission.match_id, actor=submission.player, at=dated)
        answer = feed.accepted(rows, draft.after, submission.seat)
        return SealedCommand(
            submission.match_id, head, submission.player, submission.key, submission.fingerprint,
            Sealed(rows, answer, beside(submission.match_id, before, draft.after, dated)), self._sender,
        )  # fmt: skip

    def landed(self, command: SealedCommand | None) -> None:
        """Publish the stored command and set the result. None if it wasn't stored."""
        try:
            if command is not None:
                self._publish(command)
        finally:
            if not self.result.done():
                self.result.set_result(
                    Accepted(command.sealed.rows[-1].version, command.sealed.answer or b"", replayed=False)
                    if command is not None
                    else FellBack(NOT_STORED)
                )

    def _publish(self, command: SealedCommand) -> None:
        rows = command.sealed.rows
        committed(command.stream, self._draft.before, self._draft.after.sealed(rows[-1].hash))
        for listener in listeners:
            listener(command.stream, Point(command.head.version, command.head.hash), rows)


_writers: dict[asyncio.AbstractEventLoop, Writer] = {}


def _writer() -> Writer:
    """Return the writer of the running event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _writers:
        _writers[loop] = Writer(STATEMENT)
    return _writers[loop]
