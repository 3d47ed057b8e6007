"""Seats that may be taken without an invitation, by anybody or by named accounts."""

from collections.abc import Iterable
from uuid import UUID

from events.pipeline import array
from events.store import StreamTransaction
from games.kernel import Illegal
from matches.domain import lifecycle
from matches.reads import permissions
from matches.services.appending import append, match_at_head, open_transaction
from matches.services.opening import seat_update

_IS_OPEN = """
SELECT FROM matches_seat WHERE match_id = $1 AND number = $2 AND (open_to = '{}' OR open_to @> ARRAY[$3::uuid])
"""
_OPEN = "UPDATE matches_seat SET open_to = $3 WHERE match_id = $1 AND number = $2"


def take_seat(*, match_id: UUID, player: UUID, seat: int) -> None:
    """Take a seat that is open to the player; the head's lock lets only one of two take it. Repeating it changes
    nothing. Raises already_started, match_over, no_such_seat, seat_taken, already_seated, not_open_to_you."""
    with open_transaction(match_id, actor=str(player)) as transaction:
        match_state = match_at_head(transaction)
        if match_state.lifecycle.seat_of(str(player)) == seat:
            return
        event = lifecycle.take_seat(match_state.lifecycle, seat, str(player))
        _refuse_unless_open(transaction, seat, player)
        append(transaction, match_state, [event], also=[seat_update(match_id, seat, player)])


def open_seat(*, match_id: UUID, by: UUID, seat: int, open_to: Iterable[UUID] | None) -> None:
    """Let these accounts, or anybody if empty, take an open seat without its invitation; None closes it again. Raises
    already_started, match_over, no_such_seat, seat_taken, no_seek_in_season, not_for_guests."""
    permissions.refuse_guests([by], "A guest plays against bots, and takes seats that others have opened.")
    with open_transaction(match_id, actor=str(by)) as transaction:
        current = match_at_head(transaction).lifecycle
        lifecycle.refuse_started(current)
        lifecycle.refuse_no_such_seat(current, seat)
        if current.opened.season:
            raise Illegal("no_seek_in_season", "A season seats its own players.")
        if current.players[seat] is not None:
            raise Illegal("seat_taken", f"Seat {seat} is taken.")
        named = None if open_to is None else array(map(str, open_to))
        transaction.run((_OPEN, (match_id, seat, named)))
        transaction.commit()


def _refuse_unless_open(transaction: StreamTransaction, seat: int, player: UUID) -> None:
    (rows,) = transaction.run((_IS_OPEN, (transaction.stream, seat, player)))
    if not rows:
        raise Illegal("not_open_to_you", f"Seat {seat} isn't open to you; its opener's invitation leads to it.")
