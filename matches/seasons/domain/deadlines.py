"""Deadlines of the decisions that players take: given with the decision, reminded of, and what follows where nobody
decides in time. Pure."""

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
from matches.seasons.domain.timing import Awaited
from matches.seasons.domain.timing_events import DecisionKind, Default, Reminder

_SEASON = Caller("", "organiser")
"""As whom the season itself decides."""
_DECISIONS = (TokenGranted, CandidateNamed, OpponentNamed, GameBanned)
_FARTHEST = timedelta(days=366)


def pending(season: Season) -> tuple[DecisionKind, tuple[str, ...]] | None:
    """What the season waits for a player to decide, and whom; None where it waits for somebody else."""
    episode = season.episode
    if episode is None or not episode.recorded or season.champion:
        return None
    if episode.giving:
        return "token", (episode.giving,)
    if episode.opponent is None:
        if episodes.nobody_left(season):
            return None
        if episode.candidate:
            return "opponent", (episode.candidate,)
        winners = tuple(it for it in episode.winners if season.players[it].living)
        return ("candidate", winners) if winners else None
    return _pending_bans(season)


def awaited(season: Season) -> Awaited | None:
    """The decision with a deadline that the season waits for."""
    now, found = season.timing.awaited, pending(season)
    if now is None or found is None or season.episode is None:
        return None
    return now if (now.decision, now.players, now.episode) == (*found, season.episode.number) else None


def armed(season: Season, now: datetime) -> Sequence[Event]:
    """The deadline of a decision that has none yet, from now on."""
    found = pending(season)
    if found is None or season.episode is None or awaited(season):
        return []
    decision, players = found
    minutes = getattr(season.options, f"{decision}_minutes")
    if not minutes:
        return []
    until = max(now + timedelta(minutes=minutes), notice.earliest(season, now))
    number = season.episode.number
    return [
        DecisionAwaited(decision=decision, episode=number, players=players, since=instant(now), until=instant(until))
    ]


def in_time(season: Season, by: Caller, events: Sequence[Event]) -> Sequence[Event]:
    """A decision, where its time hasn't been told to be over; else raises deadline_passed. An organiser has no
    deadline."""
    asked = awaited(season)
    if asked and asked.lapsed and not by.is_organiser:
        raise _late(asked)
    return events


def refuse_late(season: Season, by: Caller, events: Sequence[Event], now: datetime) -> None:
    """Raise deadline_passed where a player decides after the deadline, whether it has been told to be over or not."""
    asked = awaited(season)
    if asked and isinstance(next(iter(events), None), _DECISIONS) and not by.is_organiser and now > _at(asked.until):
        raise _late(asked)


def extend(season: Season, by: Caller, until: str, reason: str) -> Sequence[Event]:
    """An organiser gives the players longer to decide, or time once more; raises forbidden, plays_here, season_over,
    no_episode, no_decision, bad_deadline."""
    refuse_unless_organiser(by)
    open_episode_of(season)
    asked = awaited(season)
    if asked is None:
        raise Illegal("no_decision", "No decision of a player has a deadline now.")
    if until == asked.until:
        raise Illegal("bad_deadline", "That is the deadline already.")
    return [DecisionExtended(decision=asked.decision, since=asked.since, until=until, reason=reason)]


def refuse_untimely_deadline(events: Sequence[Event], now: datetime) -> None:
    """Raise bad_deadline where a deadline would lie in the past, or more than a year away."""
    for event in events:
        if isinstance(event, DecisionExtended) and not now < _at(event.until) < now + _FARTHEST:
            raise Illegal("bad_deadline", "The new deadline is an instant within the coming year.")


def reminders(season: Season) -> list[tuple[datetime, Reminder]]:
    """When the players are still to be reminded, in order."""
    asked = awaited(season)
    if asked is None or asked.lapsed or "last" in asked.reminded:
        return []
    since, until, options = _at(asked.since), _at(asked.until), season.options
    found: list[tuple[datetime, Reminder]] = []
    if options.remind_percent and "first" not in asked.reminded:
        found.append((since + (until - since) * options.remind_percent / 100, "first"))
    last = until - timedelta(minutes=options.remind_minutes)
    if options.remind_minutes and last > since:
        found.append((last, "last"))
    return sorted(found)


def ends(season: Season) -> datetime | None:
    """When the decision's time is over; None where none is awaited, or that has been told."""
    asked = awaited(season)
    return None if asked is None or asked.lapsed else _at(asked.until)


def remind(season: Season, which: Reminder) -> Sequence[Event]:
    """The players are told how long they have."""
    asked = awaited(season)
    if asked is None:
        return []
    return [DecisionReminded(decision=asked.decision, players=asked.players, which=which, until=asked.until)]


def lapse(season: Season, link: str | None) -> Sequence[Event]:
    """The time is over: what the season's default gives follows. `link` is the next one of the season's chance; where a
    draw is wanted and there is none, an organiser decides."""
    asked = awaited(season)
    if asked is None:
        return []
    choices, default = choices_of(season, asked), _default(season, asked, link)
    batch = Batch(season)
    batch.add(DecisionLapsed(decision=asked.decision, players=asked.players, default=default))
    if default == "random" and link is not None:
        number = season.timing.draws + 1
        chosen = chance.drawn(link, number, choices)
        batch.add(ChanceDrawn(number=number, link=link, choices=tuple(choices), chosen=chosen))
        _decide(batch, asked, chosen)
    elif default == "longest":
        # Players stand in the order in which their tenures began.
        _decide(batch, asked, min(choices, key=list(season.players).index))
    return batch.events


def _default(season: Season, asked: Awaited, link: str | None) -> Default:
    if asked.decision == "ban":
        return "none"
    wanted = season.options.decision_default
    return "organiser" if wanted == "random" and link is None else wanted


def _decide(batch: Batch, asked: Awaited, chosen: str) -> None:
    """What a player would have decided."""
    match asked.decision:
        case "token":
            batch.add(*episodes.give_token(batch.season, _SEASON, chosen))
        case "candidate":
            batch.add(CandidateNamed(player=chosen, by=None))
        case "opponent":
            batch.add(OpponentNamed(player=chosen, by=None))


def choices_of(season: Season, asked: Awaited) -> list[str]:
    """Among whom a player would have chosen, in the order of their enrolment."""
    if season.episode is None or asked.decision == "ban":
        return []
    if asked.decision == "candidate":
        return episodes.candidates_of(season, season.episode)
    return [it for it in season.exposed if it not in asked.players]


def _pending_bans(season: Season) -> tuple[DecisionKind, tuple[str, ...]] | None:
    """EC and DMO may strike games until the death match is set."""
    episode = season.episode
    if episode is None or episode.candidate is None or episode.opponent is None:
        return None
    duels = season.of_episode(episode.number, "death")
    pair = (episode.candidate, episode.opponent)
    if any(it.status != "annulled" for it in duels) or len(episode.bans) >= len(pair) * season.options.bans_each:
        return None
    return "ban", pair


def _late(asked: Awaited) -> Illegal:
    return Illegal(
        "deadline_passed",
        f"The time for this decision was over at {_at(asked.until):%Y-%m-%d %H:%M} UTC. An organiser can decide, or "
        "give you longer.",
    )


def _at(told: str) -> datetime:
    return datetime.fromisoformat(told)
