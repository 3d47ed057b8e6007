"""Nonces of the seats: committed, revealed, and left out if not revealed in time."""

from uuid import UUID

from events import chain
from events.store import StreamTransaction
from games.kernel import Illegal
from matches.domain import nonces
from matches.domain.clocks import SECOND
from matches.domain.match_state import MatchState
from matches.domain.openings import CLOCK
from matches.services.appending import append, match_at_head, open_transaction
from matches.storage import outages


def commit_nonce(*, match_id: UUID, player: UUID, seat: int, commitment: str) -> None:
    """Commit to a player's nonce by its hash, before any committed nonce is revealed."""
    with open_transaction(match_id, actor=str(player)) as transaction:
        match_state = match_at_head(transaction)
        append(transaction, match_state, [nonces.commit(match_state.lifecycle, seat, commitment)])


def reveal_nonce(*, match_id: UUID, player: UUID, seat: int, nonce: str) -> None:
    """Reveal a committed nonce. Play begins if the start waited for nothing else. Raises already_started if it comes
    too late: then play begins without it."""
    with open_transaction(match_id, actor=str(player)) as transaction:
        match_state = match_at_head(transaction)
        if not waited_long_enough(match_id, match_state, chain.microseconds(transaction.arrived_at)):
            append(transaction, match_state, nonces.reveal(match_state.lifecycle, match_id, seat, nonce))
            return
    leave_out_late_nonces(match_id=match_id)
    raise Illegal("already_started", "The start has waited for your nonce long enough; the match has begun without it.")


def leave_out_late_nonces(*, match_id: UUID) -> None:
    """Begin play if a called start has waited long enough for committed nonces."""
    with open_transaction(match_id, actor=CLOCK) as transaction:
        begin_if_late(transaction, match_at_head(transaction), chain.microseconds(transaction.arrived_at))


def begin_if_late(transaction: StreamTransaction, match_state: MatchState, at: int) -> None:
    """Do what `leave_out_late_nonces` does, in an open transaction, at an instant in microseconds since 1970."""
    if waited_long_enough(transaction.stream, match_state, at):
        append(transaction, match_state, nonces.leave_out(match_state.lifecycle))


def waited_long_enough(match_id: UUID, match_state: MatchState, at: int) -> bool:
    """True if the time to reveal nonces is over. Time lost to an outage is added to it."""
    called = match_state.lifecycle.called
    if called is None or not nonces.is_called(match_state.lifecycle) or at <= called.until:
        return False
    if outages.refresh().is_outage:
        return False
    return at > called.until + outages.taken_since(match_id, called.until - nonces.REVEAL_SECONDS * SECOND, at)
