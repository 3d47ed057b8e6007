"""When a season's match is played: times are proposed and accepted, or set by who runs the season. Pure."""

from collections.abc import Sequence

from games.kernel import Event, Illegal
from matches.seasons.domain.deciding import (
    Batch,
    Caller,
    match_of,
    refuse_not_living,
    refuse_over,
    refuse_player,
    refuse_unless_running_it,
)
from matches.seasons.domain.events import MatchTimeSet, TimeAccepted, TimesProposed
from matches.seasons.domain.state import Season, SeasonMatch

MOST_TIMES = 8
"""How many times one account may propose for a match at once."""
MOST_PROPOSALS = 12
"""How often one account may do that until the match gets a time: each time others are called."""
_AGREED = "Its players agreed on it."


def propose_times(season: Season, by: Caller, match: str, times: Sequence[str]) -> Sequence[Event]:
    """A player of the match, or who runs the season, proposes when it could be played; a time that every player has
    proposed or accepted is set.

    Raises forbidden, plays_here, season_over, not_in_season, not_scheduled, not_living, no_such_time,
    too_many_proposals.
    """
    found = scheduled(season, match)
    if by.account in found.players:
        refuse_not_living(season, by.account)
    else:
        refuse_unless_running_it(by)
    wanted = tuple(sorted(set(times)))
    if not 1 <= len(wanted) <= MOST_TIMES:
        raise Illegal("no_such_time", f"Propose 1 to {MOST_TIMES} times.")
    if any(it.by == by.account and it.made >= MOST_PROPOSALS for it in season.timing.proposals.get(match, ())):
        raise Illegal(
            "too_many_proposals",
            f"You have proposed {MOST_PROPOSALS} times already when this match could be played: accept what another "
            "one proposes, or ask who runs the season to set it.",
        )
    batch = Batch(season)
    batch.add(TimesProposed(match=match, by=by.account, times=wanted))
    _set_agreed(batch, found, wanted)
    return batch.events


def accept_time(season: Season, by: Caller, match: str, opens_at: str) -> Sequence[Event]:
    """A player of the match accepts a time that was proposed; the last of them sets it.

    Raises forbidden, plays_here, season_over, not_in_season, not_scheduled, not_living, no_such_time, already_accepted.
    """
    found = scheduled(season, match)
    if by.account not in found.players:
        refuse_player(by)
        raise Illegal("forbidden", "That is for the match's players; who runs the season sets its time.")
    refuse_not_living(season, by.account)
    if opens_at not in times_of(season, match):
        raise Illegal("no_such_time", "Nobody proposes that time any more; the match lists those that are.")
    if by.account in willing(season, match, opens_at):
        raise Illegal("already_accepted", "You have accepted that time; the others haven't yet.")
    batch = Batch(season)
    batch.add(TimeAccepted(match=match, by=by.account, opens_at=opens_at))
    _set_agreed(batch, found, [opens_at])
    return batch.events


def set_time(season: Season, by: Caller, match: str, opens_at: str | None, reason: str) -> Sequence[Event]:
    """Who runs the season gives a match another time, None where its host starts it.

    Raises forbidden, plays_here, season_over, not_in_season, not_scheduled, same_time.
    """
    refuse_unless_running_it(by)
    if scheduled(season, match).opens_at == opens_at:
        raise Illegal("same_time", "The match has that time already.")
    return [MatchTimeSet(match=match, opens_at=opens_at, by=by.account, reason=reason, check_in="play")]


def scheduled(season: Season, match: str) -> SeasonMatch:
    """A match that is still to be played as far as the season knows; raises season_over, not_in_season,
    not_scheduled."""
    refuse_over(season)
    found = match_of(season, match)
    if found.status != "scheduled":
        raise Illegal("not_scheduled", "That match has been played, or doesn't count.")
    return found


def times_of(season: Season, match: str) -> list[str]:
    """The times that somebody proposes for a match, in order."""
    return sorted({time for made in season.timing.proposals.get(match, ()) for time in made.times})


def willing(season: Season, match: str, opens_at: str) -> list[str]:
    """The players of a match who have proposed this time or accepted it."""
    timing = season.timing
    told = {made.by for made in timing.proposals.get(match, ()) if opens_at in made.times}
    told |= {player for player, time in timing.accepted.get(match, ()) if time == opens_at}
    return [player for player in season.matches[match].players if player in told]


def _set_agreed(batch: Batch, match: SeasonMatch, times: Sequence[str]) -> None:
    """The first of these times to which all players have agreed is the match's."""
    for time in times:
        if len(willing(batch.season, match.id, time)) == len(match.players):
            batch.add(MatchTimeSet(match=match.id, opens_at=time, by=None, reason=_AGREED, check_in="play"))
            return
