"""Deadlines of players' decisions: their beginning, reminders, extension and end. Pure."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from games.kernel import Event, Illegal
from matches.domain.clocks import instant
from matches.seasons.domain import chance, episodes, notice
from matches.seasons.domain.deciding import Batch, Caller, open_episode_of, refuse_unless_organiser
from matches.seasons.domain.events import (
    CandidateNamed,
    ChanceDrawn,
    DecisionAwaited,
    DecisionExtended,
    DecisionLapsed,
    DecisionReminded,
    GameBanned,
    OpponentNamed,
    TokenGranted,
)
from matches.seasons.domain.state import Season
from matches.seasons.domain.steps import choices_for, pending_decision
from matches.seasons.domain.timing import Awaited
from matches.seasons.domain.timing_events import DecisionKind, Default, Reminder

_SEASON = Caller("", "organiser")
"""The caller of decisions that the season takes by itself."""
_DECISIONS = (TokenGranted, CandidateNamed, OpponentNamed, GameBanned)
_FARTHEST = timedelta(days=366)
_AFTER_QUIET_HOURS = 60
"""Minutes that a decision has at least after quiet hours, if it has that many at all."""


def awaited(season: Season) -> Awaited | None:
    """Return the decision with a deadline that the season waits for, lapsed or not; None if there is none."""
    decision = pending_decision(season)
    return season.timing.awaited if decision and decision.until else None


def armed(season: Season, now: datetime) -> Sequence[Event]:
    """Return the deadline of the pending decision, beginning now, if it has none yet."""
    step = pending_decision(season)
    if step is None or step.until:
        return []
    kind: DecisionKind = step.kind  # type: ignore[assignment]
    minutes = getattr(season.options, f"{kind}_minutes")
    if not minutes:
        return []
    until = max(_deadline(season, now + timedelta(minutes=minutes), minutes), notice.earliest(season, now))
    return [
        DecisionAwaited(
            decision=kind, episode=season.episode_number, players=step.players, since=instant(now), until=instant(until)
        )
    ]  # fmt: skip


def _deadline(season: Season, until: datetime, minutes: int) -> datetime:
    """Return a deadline that leaves an hour after quiet hours, or all of shorter `minutes`, if it would lie in them or
    sooner after them."""
    least = timedelta(minutes=min(minutes, _AFTER_QUIET_HOURS))
    until = notice.outside_quiet_hours(season, until - least) + least
    awake = notice.outside_quiet_hours(season, until)
    return until if awake == until else notice.outside_quiet_hours(season, awake + least)


def in_time(season: Season, by: Caller, events: Sequence[Event]) -> Sequence[Event]:
    """Return the events of a decision; raise deadline_passed if it has lapsed. An organiser has no deadline."""
    deadline = awaited(season)
    if deadline and deadline.lapsed and not by.is_organiser:
        raise _late(deadline)
    return events


def refuse_late(season: Season, by: Caller, events: Sequence[Event], now: datetime) -> None:
    """Raise deadline_passed if a player decides after the deadline, whether the record says that it lapsed or not."""
    deadline = awaited(season)
    decides = isinstance(next(iter(events), None), _DECISIONS)
    if deadline and decides and not by.is_organiser and now > _at(deadline.until):
        raise _late(deadline)


def extend(season: Season, by: Caller, until: str, reason: str) -> Sequence[Event]:
    """Move a deadline, be it over or not, as an organiser; raise forbidden, plays_here, season_over, no_episode,
    no_decision, bad_deadline."""
    refuse_unless_organiser(by)
    open_episode_of(season)
    deadline = awaited(season)
    if deadline is None:
        raise Illegal("no_decision", "No decision of a player has a deadline now.")
    if until == deadline.until:
        raise Illegal("bad_deadline", "That is the deadline already.")
    return [DecisionExtended(decision=deadline.decision, since=deadline.since, until=until, reason=reason)]


def refuse_untimely_deadline(events: Sequence[Event], now: datetime) -> None:
    """Raise bad_deadline if a deadline lies in the past, or more than a year away."""
    for event in events:
        if isinstance(event, DecisionExtended) and not now < _at(event.until) < now + _FARTHEST:
            raise Illegal("bad_deadline", "The new deadline is an instant within the coming year.")


def reminders(season: Season) -> list[tuple[datetime, Reminder]]:
    """Return when the players are still to be reminded, in order."""
    deadline = awaited(season)
    if deadline is None or deadline.lapsed or "last" in deadline.reminded:
        return []
    since, until, options = _at(deadline.since), _at(deadline.until), season.options
    moments: list[tuple[datetime, Reminder]] = []
    if options.remind_percent and "first" not in deadline.reminded:
        first = since + (until - since) * options.remind_percent / 100
        moments.append((notice.outside_quiet_hours(season, first), "first"))
    last = until - timedelta(minutes=options.remind_minutes)
    if options.remind_minutes and last > since:
        moments.append((notice.outside_quiet_hours(season, last), "last"))
    return sorted(moments)


def ends(season: Season) -> datetime | None:
    """Return the deadline that hasn't lapsed; None if there is none."""
    deadline = awaited(season)
    return None if deadline is None or deadline.lapsed else _at(deadline.until)


def remind(season: Season, which: Reminder) -> Sequence[Event]:
    deadline = awaited(season)
    if deadline is None:
        return []
    return [DecisionReminded(decision=deadline.decision, players=deadline.players, which=which, until=deadline.until)]


def lapse(season: Season, link: str | None) -> Sequence[Event]:
    """Return the end of the deadline and the default decision. `link` is the next one of the season's chance;
    without it an organiser decides in place of a draw."""
    deadline = awaited(season)
    if deadline is None:
        return []
    choices, default = choices_for(season, deadline.decision), _default(season, deadline, link)
    batch = Batch(season)
    batch.add(DecisionLapsed(decision=deadline.decision, players=deadline.players, default=default))
    if default == "random" and link is not None:
        number = season.timing.draws + 1
        chosen = chance.drawn(link, number, choices)
        batch.add(ChanceDrawn(number=number, link=link, choices=tuple(choices), chosen=chosen))
        _decide(batch, deadline, chosen)
    elif default == "longest":
        # Players stand in the order in which their tenures began.
        _decide(batch, deadline, min(choices, key=list(season.players).index))
    return batch.events


def _default(season: Season, deadline: Awaited, link: str | None) -> Default:
    if deadline.decision == "ban":
        return "none"
    wanted = season.options.decision_default
    return "organiser" if wanted == "random" and link is None else wanted


def _decide(batch: Batch, deadline: Awaited, chosen: str) -> None:
    if deadline.decision == "token":
        batch.add(*episodes.give_token(batch.season, _SEASON, chosen))
    else:
        named = CandidateNamed if deadline.decision == "candidate" else OpponentNamed
        batch.add(named(player=chosen, by=None))


def _late(deadline: Awaited) -> Illegal:
    return Illegal(
        "deadline_passed",
        f"The time for this decision was over at {_at(deadline.until):%Y-%m-%d %H:%M} UTC. An organiser can decide, or "
        "give you longer.",
    )


def _at(stored: str) -> datetime:
    return datetime.fromisoformat(stored)
