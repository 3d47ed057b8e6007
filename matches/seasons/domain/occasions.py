"""Occasions of a season that come by the clock: reminders, deadlines that end, check-ins that close. Pure."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from games.kernel import Event
from matches.seasons.domain import attendance, deadlines
from matches.seasons.domain.state import Season, SeasonMatch
from matches.seasons.domain.timing_events import Reminder


class Occasion(NamedTuple):
    """An event that time causes at an instant, with a unique `key`: the end of a check-in if it names a `match`, a
    reminder if it has `which`, otherwise the end of a deadline."""

    at: datetime
    key: str
    match: str = ""
    which: Reminder | None = None


def occasions(season: Season) -> list[Occasion]:
    """Return the occasions to come as the season stands, in order; at one instant the end comes before a reminder."""
    if season.champion:
        return []
    ahead = [
        Occasion(at, _check_in(season, match), match=match.id)
        for match in season.matches.values()
        if (at := attendance.closes(season, match))
    ]
    awaited, end = deadlines.awaited(season), deadlines.ends(season)
    if awaited and end:
        name = f"{awaited.decision} of episode {awaited.episode} from {awaited.since} until {awaited.until}"
        ahead.append(Occasion(end, f"end of {name}"))
        ahead += [Occasion(at, f"{which} reminder of {name}", which=which) for at, which in deadlines.reminders(season)]
    return sorted(ahead)


def _check_in(season: Season, match: SeasonMatch) -> str:
    until = attendance.check_in_of(season, match.id).until
    return f"check-in of {match.id} at {match.opens_at}{f' until {until}' if until else ''}"


def due(season: Season, now: datetime) -> Occasion | None:
    """Return what is to happen now: of a decision's missed occasions the latest, as late reminders are of no use."""
    passed = [it for it in occasions(season) if it.at <= now]
    check_ins, others = [it for it in passed if it.match], [it for it in passed if not it.match]
    return check_ins[0] if check_ins else others[-1] if others else None


def next_at(season: Season) -> datetime | None:
    return next((it.at for it in occasions(season)), None)


def happening(season: Season, occasion: Occasion, link: str | None, begun: bool) -> Sequence[Event]:
    """Return the events of an occasion, if the season still awaits it. `link` is the next one of its chance; `begun`
    is true if the match has begun."""
    if occasion not in occasions(season):
        return []
    if occasion.match:
        return attendance.close(season, season.matches[occasion.match], begun)
    return deadlines.remind(season, occasion.which) if occasion.which else deadlines.lapse(season, link)
