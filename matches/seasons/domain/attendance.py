"""The check-in before a season's match, and what becomes of the match where somebody doesn't come. Pure."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from msgspec.structs import replace

from games.kernel import Event, Illegal
from matches.domain.clocks import instant
from matches.seasons.domain import notice, results
from matches.seasons.domain.appointments import scheduled
from matches.seasons.domain.deciding import Batch, Caller, refuse_unless_organiser, refuse_unless_running_it
from matches.seasons.domain.events import (
    AbsenceDecided,
    CheckInClosed,
    CheckInExtended,
    MatchTimeSet,
    PlayerCheckedIn,
    TimeAccepted,
    TimesProposed,
)
from matches.seasons.domain.state import Season, SeasonMatch
from matches.seasons.domain.timing import CheckIn
from matches.seasons.domain.timing_events import Absence

_BY_OPTION = "The season's options say so."


def check_in(season: Season, by: Caller, match: str, player: str) -> Sequence[Event]:
    """A player of a match says that they are there, late too while nobody has decided on their absence; who runs the
    season may say it for them.

    Raises forbidden, plays_here, season_over, not_in_season, not_scheduled, not_at_table, no_check_in,
    check_in_closed, already_checked_in.
    """
    season_match = scheduled(season, match)
    if by.account != player:
        refuse_unless_running_it(by)
    if player not in season_match.players:
        raise Illegal("not_at_table", "That player doesn't play at this match.")
    if opens(season, season_match) is None:
        raise Illegal("no_check_in", "There is no check-in for this match: the season has none, or the match no time.")
    there = check_in_of(season, match)
    if there.ruling:
        raise Illegal("check_in_closed", "The check-in is over, and it is decided what becomes of the match.")
    if player in there.present:
        raise Illegal("already_checked_in", "The player has checked in.")
    return [PlayerCheckedIn(match=match, player=player)]


def close(season: Season, match: SeasonMatch, begun: bool) -> Sequence[Event]:
    """Close the check-in of a match, and apply the season's option to a match with absent players. Nobody is absent
    from a match that has `begun`, as it didn't wait for them."""
    there = check_in_of(season, match.id)
    absent = () if begun else tuple(it for it in match.players if it not in there.present)
    batch = Batch(season)
    batch.add(CheckInClosed(match=match.id, absent=absent))
    option = season.options.absence
    if option == "stand_in" and 0 < len(absent) < len(match.players):
        _rule(batch, match, "stand_in", None, None, _BY_OPTION)
    elif option == "loss" and len(absent) == 1 and match.kind != "main":
        _rule(batch, match, "loss", absent[0], None, _BY_OPTION)
    return batch.events


def decide_absence(
    season: Season, by: Caller, match: str, ruling: Absence, loser: str | None, reason: str
) -> Sequence[Event]:
    """Decide a match with absent players, as an organiser: it is played, bots stand in for them, or one of them has
    lost it: `loser`, by default the only one.

    Raises forbidden, plays_here, season_over, not_in_season, not_scheduled, nobody_missing, no_loser.
    """
    refuse_unless_organiser(by)
    season_match, there = scheduled(season, match), check_in_of(season, match)
    if not there.absent or there.ruling or is_complete(season, season_match):
        raise Illegal("nobody_missing", "Nobody is missed at that match, or it has been decided what becomes of it.")
    if ruling == "loss":
        loser = loser or (there.absent[0] if len(there.absent) == 1 else None)
        if season_match.kind == "main" or loser not in there.absent:
            raise Illegal(
                "no_loser",
                "Name which of the absent loses; a table of the main match is played, or annulled instead.",
            )
    batch = Batch(season)
    _rule(batch, season_match, ruling, loser if ruling == "loss" else None, by.account, reason)
    return batch.events


def refuse_untimely_check_in(season: Season, events: Sequence[Event], now: datetime) -> None:
    """Raise check_in_not_open before the check-in of a match begins."""
    for event in events:
        if isinstance(event, PlayerCheckedIn):
            at = opens(season, season.matches[event.match])
            if at and now < at:
                raise Illegal("check_in_not_open", f"The check-in opens at {at:%Y-%m-%d %H:%M} UTC.")


def refuse_untimely_agreement(season: Season, events: Sequence[Event], now: datetime) -> None:
    """Raise bad_opening_time where players propose or agree on a time whose check-in has begun: whoever proposed it
    earlier would be absent before they could know that the match is on. Who runs the season may set it."""
    for match, opens_at in (agreed for event in events for agreed in _agreed_on(event)):
        at = opens(season, replace(season.matches[match], opens_at=opens_at, check_in="play"))
        if at and now >= at:
            raise Illegal(
                "bad_opening_time",
                f"The check-in for that time opens at {at:%Y-%m-%d %H:%M} UTC, and players agree on one before that: "
                "choose a later one, or ask who runs the season.",
            )


def opens(season: Season, match: SeasonMatch) -> datetime | None:
    """Return when the check-in of a match opens; None if it has none, as a match that is played on."""
    ends, minutes = _regular_end(match), season.options.check_in_minutes
    return ends - timedelta(minutes=minutes) if ends and minutes and not match.reopened else None


def closes_at(season: Season, match: SeasonMatch) -> datetime | None:
    """Return when the check-in of a match ends, extensions included; None if it has none."""
    ends, until = _regular_end(match), check_in_of(season, match.id).until
    if ends is None or opens(season, match) is None:
        return None
    return max(ends, datetime.fromisoformat(until)) if until else ends


def closes(season: Season, match: SeasonMatch) -> datetime | None:
    """Return when the check-in of a match must be closed; None if it is closed, or all players are present."""
    if match.status != "scheduled" or check_in_of(season, match.id).closed or is_complete(season, match):
        return None
    return closes_at(season, match)


def extended(before: Season, after: Season, now: datetime) -> list[Event]:
    """Return extensions of check-ins for players who have less than the least notice because they learn of them by this
    act: a substitute, or everybody if the season had no check-ins before."""
    until = notice.earliest(after, now)
    return [
        CheckInExtended(match=match.id, until=instant(until))
        for match in after.matches.values()
        if match.status == "scheduled"
        and (ends := closes_at(after, match))
        and ends < until
        and not check_in_of(after, match.id).ruling
        and (was := before.matches.get(match.id))
        and (set(match.players) - set(was.players) or opens(before, was) is None)
    ]


def holds(season: Season, match: SeasonMatch) -> bool:
    """Return whether somebody is absent and nobody has decided what becomes of the match.

    It doesn't start by itself then. A set-up begins all the same, and the match is held when play would open.
    """
    there = check_in_of(season, match.id)
    return awaits(season, match) and (not precedes_play(match) or bool(there.absent or there.until))


def awaits(season: Season, match: SeasonMatch) -> bool:
    """True if a match has a check-in, somebody isn't there, and nobody has decided what becomes of it."""
    if match.status != "scheduled" or opens(season, match) is None or is_complete(season, match):
        return False
    return check_in_of(season, match.id).ruling is None


def precedes_play(match: SeasonMatch) -> bool:
    """True if the check-in ends after the match's set-up, right before play."""
    return bool(match.setup) and match.check_in is not None


def check_in_of(season: Season, match: str) -> CheckIn:
    return season.timing.check_ins.get(match, CheckIn())


def is_complete(season: Season, match: SeasonMatch) -> bool:
    """True if every player of a match has checked in."""
    return set(match.players) <= set(check_in_of(season, match.id).present)


def _regular_end(match: SeasonMatch) -> datetime | None:
    """Return the end of a check-in without extensions: the start of play, or of the set-up in older records."""
    if match.opens_at is None or match.check_in is None:
        return match.begins_at
    return datetime.fromisoformat(match.opens_at)


def _agreed_on(event: Event) -> list[tuple[str, str]]:
    """Return the matches and times that players propose or agree on."""
    match event:
        case TimesProposed(match=match, times=times):
            return [(match, time) for time in times]
        case TimeAccepted(match=match, opens_at=opens_at) | MatchTimeSet(by=None, match=match, opens_at=str(opens_at)):
            return [(match, opens_at)]
    return []


def _rule(batch: Batch, match: SeasonMatch, ruling: Absence, loser: str | None, by: str | None, reason: str) -> None:
    batch.add(AbsenceDecided(match=match.id, ruling=ruling, loser=loser, by=by, reason=reason))
    if loser is not None:
        lost = match.players.index(loser)
        batch.add(*results.report(batch.season, match.id, (1 - lost,), ((1 - lost,), (lost,))))
