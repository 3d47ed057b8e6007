"""Times of a season's matches: proposed and accepted by the players, or set by an organiser or host. Pure."""

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
"""The most times in one proposal."""
MOST_PROPOSALS = 12
"""The most proposals of one account for a match until it gets a time. Each proposal sends calls to others."""
_AGREED = "Its players agreed on it."


def propose_times(season: Season, by: Caller, match: str, times: Sequence[str]) -> Sequence[Event]:
    """Propose times for a match: for its players, organisers and hosts. If all players have proposed or accepted one of
    them, it becomes the match's time.

    Raise forbidden, plays_here, season_over, not_in_season, not_scheduled, not_living, no_such_time,
    too_many_proposals.
    """
    season_match = scheduled(season, match)
    if by.account in season_match.players:
        refuse_not_living(season, by.account)
    else:
        refuse_unless_running_it(by)
    wanted = tuple(sorted(set(times)))
    if not 1 <= len(wanted) <= MOST_TIMES:
        raise Illegal("no_such_time", f"Propose 1 to {MOST_TIMES} times.")
    if any(it.by == by.account and it.made >= MOST_PROPOSALS for it in season.timing.proposals.get(match, ())):
        raise Illegal(
            "too_many_proposals",
            f"You have made {MOST_PROPOSALS} proposals for this match already: accept a proposed time, or ask an "
            "organiser or host to set one.",
        )
    batch = Batch(season)
    batch.add(TimesProposed(match=match, by=by.account, times=wanted))
    _set_agreed(batch, season_match, wanted)
    return batch.events


def accept_time(season: Season, by: Caller, match: str, opens_at: str) -> Sequence[Event]:
    """Accept a proposed time: for the match's players. Once all players have proposed or accepted it, it becomes the
    match's time.

    Raise forbidden, plays_here, season_over, not_in_season, not_scheduled, not_living, no_such_time, already_accepted.
    """
    season_match = scheduled(season, match)
    if by.account not in season_match.players:
        refuse_player(by)
        raise Illegal("forbidden", "Only the match's players accept a time; an organiser or host can set it.")
    refuse_not_living(season, by.account)
    if opens_at not in times_of(season, match):
        raise Illegal("no_such_time", "That time isn't proposed; choose one that the match lists.")
    if by.account in willing(season, match, opens_at):
        raise Illegal("already_accepted", "You have agreed to that time already; it is set once every player has.")
    batch = Batch(season)
    batch.add(TimeAccepted(match=match, by=by.account, opens_at=opens_at))
    _set_agreed(batch, season_match, [opens_at])
    return batch.events


def set_time(season: Season, by: Caller, match: str, opens_at: str | None, reason: str) -> Sequence[Event]:
    """Set a match's time: for organisers and hosts. With None its host starts it.

    Raise forbidden, plays_here, season_over, not_in_season, not_scheduled, same_time.
    """
    refuse_unless_running_it(by)
    if scheduled(season, match).opens_at == opens_at:
        raise Illegal("same_time", "The match has that time already.")
    return [MatchTimeSet(match=match, opens_at=opens_at, by=by.account, reason=reason, check_in="play")]


def scheduled(season: Season, match: str) -> SeasonMatch:
    """Return a match that the season has scheduled and that has no result; raise season_over, not_in_season,
    not_scheduled."""
    refuse_over(season)
    season_match = match_of(season, match)
    if season_match.status != "scheduled":
        raise Illegal("not_scheduled", "That match has been played, or doesn't count.")
    return season_match


def times_of(season: Season, match: str) -> list[str]:
    """Return the times that are proposed for a match, in order."""
    return sorted({time for made in season.timing.proposals.get(match, ()) for time in made.times})


def willing(season: Season, match: str, opens_at: str) -> list[str]:
    """Return the players of a match who have proposed or accepted this time, by seat."""
    timing = season.timing
    agreed = {made.by for made in timing.proposals.get(match, ()) if opens_at in made.times}
    agreed |= {player for player, time in timing.accepted.get(match, ()) if time == opens_at}
    return [player for player in season.matches[match].players if player in agreed]


def _set_agreed(batch: Batch, match: SeasonMatch, times: Sequence[str]) -> None:
    """Set the match's time to the first of these to which all players have agreed, if there is one."""
    for time in times:
        if len(willing(batch.season, match.id, time)) == len(match.players):
            batch.add(MatchTimeSet(match=match.id, opens_at=time, by=None, reason=_AGREED, check_in="play"))
            return
