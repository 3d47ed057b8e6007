"""Limits on the unfinished friendlies that an account has opened, and on those among them that only bots play.

The opener's account is locked while they are counted, so that two simultaneous requests count each other. Matches of a
season don't count.
"""

from uuid import UUID

from django.conf import settings

from events.store import StreamTransaction
from games.kernel import Illegal, quantity
from matches.domain import programs
from matches.domain.events import HOUSE
from matches.domain.lifecycle import Lifecycle

# NO KEY: other transactions may still insert rows that refer to the account.
_LOCK = """
SELECT is_organiser OR is_staff OR is_superuser, guest_until IS NOT NULL
FROM matches_account WHERE id = $1 FOR NO KEY UPDATE
"""
_LOCK_OPENER_OF = """
SELECT a.is_organiser OR a.is_staff OR a.is_superuser, a.guest_until IS NOT NULL
FROM matches_match m JOIN matches_account a ON a.id = m.opened_by_id
WHERE m.id = $1 AND m.opened_by_id = $2 AND m.season_id IS NULL FOR NO KEY UPDATE OF a
"""
_COUNT = """
SELECT count(*),
    count(*) FILTER (WHERE NOT EXISTS (
        SELECT FROM matches_seat s WHERE s.match_id = m.id AND NOT s.is_bot AND NOT s.stood_in
    ))
FROM matches_match m
WHERE m.opened_by_id = $1 AND m.id <> $2 AND m.season_id IS NULL AND m.status IN ('waiting', 'running', 'paused')
"""


def refuse_one_more(transaction: StreamTransaction, opener: UUID, *, bots_alone: bool) -> None:
    """Raise Illegal `too_many_matches` or `too_many_bot_matches` if the opener may not open this match too."""
    if settings.LIMITS:
        (rank,), ((all_of_them, of_bots),) = transaction.run((_LOCK, (opener,)), (_COUNT, (opener, transaction.stream)))
        most, most_of_bots = _most(*rank)
        if all_of_them >= most:
            raise Illegal("too_many_matches", _too_many(all_of_them, most, *rank))
        if bots_alone:
            _refuse_bots(of_bots, most_of_bots)


def refuse_leaving_to_bots(transaction: StreamTransaction, by: UUID | str, lifecycle: Lifecycle, seat: int) -> None:
    """Raise Illegal `too_many_bot_matches` if only programs would play once one has this seat, and the match's opener
    `by` already has the maximum of such matches.

    Other hosts and seasons are not limited: the match counts as its opener's.
    """
    others = (*lifecycle.movers[:seat], *lifecycle.movers[seat + 1 :])
    if settings.LIMITS and by != HOUSE and all(map(programs.is_program, others)):
        opener, ((_, of_bots),) = transaction.run(
            (_LOCK_OPENER_OF, (transaction.stream, by)), (_COUNT, (by, transaction.stream))
        )
        if opener:
            _refuse_bots(of_bots, _most(*opener[0])[1])


def _most(is_official: bool, is_guest: bool) -> tuple[int, int]:
    if is_guest:
        return settings.MATCHES_OF_GUEST
    return settings.MATCHES_OF_OFFICIAL if is_official else settings.MATCHES_OF_ACCOUNT


def _too_many(all_of_them: int, most: int, _is_official: bool, is_guest: bool) -> str:
    if is_guest:
        return f"A guest may have {_open(most)}. Play one to its end, resign one, or sign up."
    return f"You have opened {_open(all_of_them)}, and may have {most}. Let one end, or declare one void."


def _open(count: int) -> str:
    return quantity(count, "match that isn't over", "matches that aren't over")


def _refuse_bots(of_bots: int, most: int) -> None:
    if of_bots >= most:
        raise Illegal(
            "too_many_bot_matches",
            f"You have {quantity(of_bots, 'match', 'matches')} among bots alone to be ended, and may have {most}. Let "
            "one end, declare one void, or take a seat yourself.",
        )
