"""Rests of bots before they move: short if a person plays, longer at the show match, none among bots.

A rest counts from the match's last event, so it is the same in every process.
"""

from math import inf
from uuid import UUID

from django.conf import settings

from events import chain, estimated_clock, store
from matches.domain import clocks, programs, show
from matches.domain.clocks import SECOND
from matches.domain.match_state import MatchState
from matches.publishing import presence

_SPARE_RESTS = 10
"""A bot with less time than so many rests before its flag doesn't rest, so that no flag falls because of a rest."""


def rest(match_id: UUID, match_state: MatchState) -> float:
    """Return for how many seconds from now the bot to move rests; infinite for a show match that nobody watches."""
    lifecycle = match_state.lifecycle
    if lifecycle.opened.opened_by == str(show.OPENER):
        return _rest_left(match_state, settings.SHOW_REST_SECONDS) or (0.0 if _is_watched(match_id) else inf)
    seconds = 0.0 if all(map(programs.is_program, lifecycle.movers)) else settings.BOT_REST_SECONDS
    return _rest_left(match_state, seconds) if seconds else 0.0


def has_audience() -> bool:
    """True if somebody has viewed the front page in the last 15 seconds; False without Redis."""
    return presence.present_at(show.AUDIENCE).watchers > 0


def _is_watched(match_id: UUID) -> bool:
    return has_audience() or presence.present_at(match_id).watchers > 0


def _rest_left(match_state: MatchState, seconds: float) -> float:
    """Return the seconds left of a rest since the last event; 0 if the bot's clock leaves no time for it."""
    now = chain.microseconds(estimated_clock.now() or store.clock())
    bot = programs.to_move(match_state)
    falls = [deadline.falls_at for deadline in clocks.deadlines(match_state.clocks) if deadline.seat == bot]
    if falls and min(falls) - now < _SPARE_RESTS * seconds * SECOND:
        return 0.0
    return max(0.0, seconds - (now - match_state.at) / SECOND)
