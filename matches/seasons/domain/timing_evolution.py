"""Pure reducer of a season's times: the state after each event."""

from typing import Any

from msgspec.structs import replace

from games.kernel import Event
from matches.seasons.domain import events as season_events
from matches.seasons.domain.state import Season
from matches.seasons.domain.timing import Awaited, CheckIn, Proposal, Timing


def timed(season: Season, event: Event) -> Season:
    """Return the season after the event's changes of its times."""
    timing = _timed(season.timing, event)
    if isinstance(event, season_events.MatchTimeSet):
        before = season.matches[event.match]
        match = replace(before, opens_at=event.opens_at, moved=before.moved + 1, check_in=event.check_in)
        season = replace(season, matches={**season.matches, match.id: match})
    return season if timing is season.timing else replace(season, timing=timing)


def _timed(timing: Timing, event: Event) -> Timing:
    match event:
        case season_events.TimesProposed(match=match, by=by, times=times):
            earlier = timing.proposals.get(match, ())
            others = tuple(it for it in earlier if it.by != by)
            made = 1 + sum(it.made for it in earlier if it.by == by)
            return replace(timing, proposals={**timing.proposals, match: (*others, Proposal(by, times, made))})
        case season_events.TimeAccepted(match=match, by=by, opens_at=opens_at):
            accepted = (*timing.accepted.get(match, ()), (by, opens_at))
            return replace(timing, accepted={**timing.accepted, match: accepted})
        case season_events.MatchTimeSet(match=match):
            return replace(
                timing,
                proposals=_without(timing.proposals, match),
                accepted=_without(timing.accepted, match),
                check_ins=_without(timing.check_ins, match),
            )
        case season_events.PlayerCheckedIn(match=match, player=player):
            there = timing.check_ins.get(match, CheckIn())
            return _checked(timing, match, replace(there, present=(*there.present, player)))
        case season_events.CheckInClosed(match=match, absent=absent):
            there = timing.check_ins.get(match, CheckIn())
            return _checked(timing, match, replace(there, closed=True, absent=absent))
        case season_events.CheckInExtended(match=match, until=until):
            there = timing.check_ins.get(match, CheckIn())
            return _checked(timing, match, CheckIn(present=there.present, until=until))
        case season_events.AbsenceDecided(match=match, ruling=ruling):
            return _checked(timing, match, replace(timing.check_ins[match], ruling=ruling))
        case season_events.DecisionAwaited(
            decision=decision, episode=episode, players=players, since=since, until=until
        ):
            return replace(timing, awaited=Awaited(decision, episode, players, since, until))
        case season_events.ChanceDrawn(link=link):
            return replace(timing, link=link, draws=timing.draws + 1)
        case season_events.PlayerSubstituted(leaver=leaver, newcomer=newcomer):
            return _substituted(timing, leaver, newcomer)
        case _:
            return _decided(timing, event)


def _decided(timing: Timing, event: Event) -> Timing:
    """Return the times with the awaited decision changed by the event; an act that decides it ends its time."""
    awaited = timing.awaited
    if awaited is None:
        return timing
    match event:
        case season_events.DecisionReminded(which=which):
            return replace(timing, awaited=replace(awaited, reminded=(*awaited.reminded, which)))
        case season_events.DecisionExtended(since=since, until=until):
            return replace(timing, awaited=replace(awaited, since=since, until=until, reminded=(), lapsed=False))
        case season_events.DecisionLapsed():
            return replace(timing, awaited=replace(awaited, lapsed=True))
        case (
            season_events.TokenGranted(by=str())
            | season_events.CandidateNamed()
            | season_events.OpponentNamed()
            | season_events.DeathMatchScheduled()
        ):
            return replace(timing, awaited=None)
        case season_events.EpisodeClosed():
            return replace(timing, awaited=None)
        case _:
            return timing


def _checked(timing: Timing, match: str, check_in: CheckIn) -> Timing:
    return replace(timing, check_ins={**timing.check_ins, match: check_in})


def _substituted(timing: Timing, leaver: str, newcomer: str) -> Timing:
    """Return the times without the leaver's proposals and acceptances; the newcomer hasn't checked in."""
    proposals = {match: tuple(it for it in made if it.by != leaver) for match, made in timing.proposals.items()}
    accepted = {match: tuple(it for it in made if it[0] != leaver) for match, made in timing.accepted.items()}
    check_ins = {match: _renamed(it, leaver, newcomer) for match, it in timing.check_ins.items()}
    return replace(timing, proposals=proposals, accepted=accepted, check_ins=check_ins)


def _renamed(check_in: CheckIn, leaver: str, newcomer: str) -> CheckIn:
    return replace(
        check_in,
        present=tuple(it for it in check_in.present if it != leaver),
        absent=tuple(newcomer if it == leaver else it for it in check_in.absent),
    )


def _without(by_match: dict[str, Any], match: str) -> dict[str, Any]:
    return {it: held for it, held in by_match.items() if it != match}
