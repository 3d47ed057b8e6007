"""Reminders by a match's host to the players for whom the match waits."""

from datetime import timedelta
from typing import NamedTuple
from uuid import UUID

import structlog

from events import store
from matches.domain.match_state import MatchState
from matches.models import Call, Match
from matches.notifications import calls
from matches.notifications.calls import Cause
from matches.notifications.notices import person_at

log = structlog.get_logger(__name__)

APART = timedelta(minutes=10)
"""A player is reminded by hosts at most once in this time."""
_BY_HOST = "reminded "
"""The causes of these calls begin with it."""


class Reminded(NamedTuple):
    """The seats by what has come of a reminder: it is on its way, the last one was too recent, or no call reaches
    whoever moves there: a bot, a guest, or an account that wants no such calls."""

    reached: tuple[int, ...]
    recent: tuple[int, ...]
    unreached: tuple[int, ...]


def remind_missing(match: Match, match_state: MatchState, by: UUID) -> Reminded:
    """Queue a call to each player for whom the match waits, as one of its hosts requests it; the row of the call
    records it. Two requests at the same time queue one call."""
    reached, recent, unreached = [], [], []
    for prompt in match_state.due.prompts:
        seat, person = prompt.seat, person_at(match_state, prompt.seat)
        if not isinstance(seat, int) or (person and person not in match.needs):
            # With a spectators' delay, a host may request it for a player who has submitted meanwhile.
            continue
        if person is None:
            unreached.append(seat)
            continue
        earlier = Call.objects.filter(account=person, match_id=match.id, cause__startswith=_BY_HOST)
        # One query decides both: the time and the number must come from the same calls, or two requests at the
        # same time find no recent call and yet count the other's.
        made_at = dict(earlier.values_list("cause", "made_at"))
        if made_at and max(made_at.values()) > store.clock() - APART:
            recent.append(seat)
            continue
        cause = f"{_BY_HOST}{match_state.lifecycle.rewinds}:{prompt.turn} {len(made_at) + 1}"
        if calls.queue([Cause(person, "reminder", cause, match.id, match.season_id)]):
            reached.append(seat)
        else:
            (recent if earlier.exists() else unreached).append(seat)
    log.info("players_reminded", match=str(match.id), by=str(by), seats=reached)
    return Reminded(tuple(reached), tuple(recent), tuple(unreached))
