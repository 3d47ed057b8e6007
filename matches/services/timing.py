"""Acts of the clock: flags, which a worker lets fall in time or the next request lets fall later, and scheduled
starts."""

from uuid import UUID

import structlog

from events import chain, database_errors
from events.log_throttle import LogThrottle
from games.kernel import judge
from matches.domain.clocks import Deadline, mover_of
from matches.domain.openings import CLOCK
from matches.services.appending import append, match_at_head, open_transaction, overdue
from matches.services.nonces import begin_if_late
from matches.services.opening import begin
from matches.storage import outages, settling, texts

log = structlog.get_logger(__name__)

_throttle = LogThrottle(seconds=60)


class Locked(Exception):
    """Another transaction has the match locked."""


def let_flag_fall(*, match_id: UUID, by: int | None = None, wait: bool = True) -> Deadline | None:
    """Let the first overdue flag fall and return it; None if none is overdue. If a called start has waited long enough
    for nonces, begin play instead.

    Overdue is judged at the instant `by` (microseconds), by default at the database's clock. A flag doesn't fall while
    a command that arrived before it may still wait in a web process. With `wait=False`, a match that another
    transaction has locked raises Locked, or the store's error for other locks.
    """
    with open_transaction(match_id, actor=CLOCK, wait=wait) as transaction:
        if transaction.head is None and not wait:
            raise Locked(str(match_id))
        match_state = match_at_head(transaction)
        arrived_at = chain.microseconds(transaction.arrived_at)
        if not match_state.lifecycle.started:
            begin_if_late(transaction, match_state, by or arrived_at)
            return None
        late = overdue(match_id, match_state, by or arrived_at)
        if late is None or not settling.have_settled(late.falls_at):
            if outages.owed_to(match_id, match_state, arrived_at):
                append(transaction, match_state, [])
            elif ends := outages.close_hold_sql(match_id):
                transaction.run(*ends)
                transaction.commit()
            return None
        chance = texts.chance_of(match_id, match_state.lifecycle, match_state.game_version)
        events = judge.flag(match_state.game, match_state.state, mover_of(late.seat), chance)
        append(transaction, match_state, events, kept=chance.kept)
    return late


def start_scheduled(*, match_id: UUID) -> None:
    """Start a scheduled match, or its set-up, when it is due. Raises as `opening.begin`."""
    begin(match_id=match_id, actor=CLOCK, reason="The match was scheduled for this time.")


def catch_up_clock(*, match_id: UUID) -> int:
    """Let every overdue flag of a match fall, in order, and return their number."""
    fallen = 0
    while let_flag_fall(match_id=match_id) is not None:
        fallen += 1
    return fallen


def catch_up_for_a_reader(*, match_id: UUID) -> None:
    """Let every overdue flag of a match fall, if possible now. If the disk is full or the match locked, the flag waits
    and the reader gets the match as stored."""
    try:
        while let_flag_fall(match_id=match_id, wait=False) is not None:
            pass
    except Locked:
        return
    except database_errors.ERRORS as error:
        if _throttle.is_due(type(error).__name__):
            log.warning("flag_waits", match=str(match_id), error=type(error).__name__)
