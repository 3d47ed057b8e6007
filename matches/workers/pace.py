"""How long a bot rests before it moves: shortly where a person plays, longer at the show match, not at all among bots.

A rest is counted from the match's last event, so it is the same for whoever serves the match.
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
"""A bot with less time than so many rests before its flag has none: no flag falls for the looks of it."""


def rest(match_id: UUID, match_state: MatchState) -> float:
    """For how many seconds from now the bot to move rests; infinite where nobody looks at the show match."""
    story = match_state.lifecycle
    if story.opened.opened_by == str(show.OPENER):
        return _left(match_state, settings.SHOW_REST_SECONDS) or (0.0 if _is_watched(match_id) else inf)
    seconds = 0.0 if all(map(programs.is_program, story.movers)) else settings.BOT_REST_SECONDS
    return _left(match_state, seconds) if seconds else 0.0


def has_audience() -> bool:
    """Whether somebody has looked at the front page in the last quarter of a minute; nobody has without Redis."""
    return presence.of(show.AUDIENCE).watchers > 0


def _is_watched(match_id: UUID) -> bool:
    return has_audience() or presence.of(match_id).watchers > 0


def _left(match_state: MatchState, seconds: float) -> float:
    """What is left of so many seconds of rest since the last event; nothing where a clock leaves no time for it."""
    now = chain.microseconds(estimated_clock.now() or store.clock())
    bot = programs.to_move(match_state)
    falls = [deadline.falls_at for deadline in clocks.deadlines(match_state.clocks) if deadline.seat == bot]
    if falls and min(falls) - now < _SPARE_RESTS * seconds * SECOND:
        return 0.0
    return max(0.0, seconds - (now - match_state.at) / SECOND)
