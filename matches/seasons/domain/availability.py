"""Pure rules of availability: when players can play. It is advice: no act is refused because of it.

Dated windows are instants. Weekly hours are stored as local times of a zone: 18:00 remains 18:00 when summer time
begins. A window in which a player can't play overrides one in which they can, and both override the weekly hours.
Outside their weekly hours a player can't play; without weekly hours, their other times are unknown.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal, get_args
from zoneinfo import ZoneInfo

from msgspec import Struct
from msgspec.structs import replace

from games.kernel import Illegal
from matches.domain.clocks import instant
from matches.domain.names import is_time_zone
from matches.seasons.domain.deciding import Caller, refuse_not_living, refuse_over, refuse_player
from matches.seasons.domain.state import Season

Day = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
Verdict = Literal["can", "cannot", "unknown"]

DAYS: tuple[Day, ...] = get_args(Day)
MOST_WINDOWS = 40
MOST_HOURS = 21
_LOOKS_AHEAD = timedelta(days=21)
_SOONEST = timedelta(hours=1)
_HALF_HOUR = timedelta(minutes=30)
_TIME_OF_DAY = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]")
# A match takes about this long; what suits only at its first minute suits nobody.
_ROOM = tuple(timedelta(minutes=minutes) for minutes in (0, 15, 30, 45))


class Window(Struct, frozen=True, forbid_unknown_fields=True):
    """From `since` until before `until`, RFC 3339 in UTC, one can play, or can't."""

    since: str
    until: str
    can: bool


class WeeklyHours(Struct, frozen=True, forbid_unknown_fields=True):
    """Weekly times at which a player can play: on `day` from `since` until before `until`, as HH:MM. `until` is on the
    next day if it isn't later than `since`."""

    day: Day
    since: str
    until: str


class Availability(Struct, frozen=True, forbid_unknown_fields=True):
    """A player's dated `windows`, and `weekly` hours as local times of `zone`."""

    zone: str
    windows: tuple[Window, ...] = ()
    weekly: tuple[WeeklyHours, ...] = ()

    @property
    def empty(self) -> bool:
        return not self.windows and not self.weekly

    @property
    def says_when(self) -> bool:
        """True if it contains times at which the player can play, not only times at which they can't."""
        return bool(self.weekly) or any(it.can for it in self.windows)


class TimeSaid(Struct, frozen=True):
    """The players by their availability at an instant."""

    at: datetime
    can: tuple[str, ...]
    cannot: tuple[str, ...]
    unknown: tuple[str, ...]


def refuse_to_say(season: Season, by: Caller, player: str) -> None:
    """Raise forbidden for whoever isn't the player; not_living, season_over."""
    if by.account != player or player not in season.players:
        raise Illegal("forbidden", "When somebody can play is for that player to say.")
    refuse_over(season)
    refuse_not_living(season, player)


def refuse_to_read(by: Caller, player: str | None = None) -> None:
    """Raise forbidden, plays_here for whoever is neither of the season's officials nor this player."""
    if player is not None and by.account == player:
        return
    refuse_player(by)
    if by.role is None:
        raise Illegal(
            "forbidden", "When players can play is for the season's officials to read, and each player's own."
        )


def checked(said: Availability, now: datetime) -> Availability:
    """Return the availability sorted, without past windows. Raise no_such_time_zone, bad_availability."""
    if not is_time_zone(said.zone):
        raise Illegal("no_such_time_zone", "That is no name in the IANA time zone database, such as Europe/Vienna.")
    if len(said.windows) > MOST_WINDOWS or len(said.weekly) > MOST_HOURS:
        raise _bad(f"Say at most {MOST_WINDOWS} windows and {MOST_HOURS} weekly hours.")
    for window in said.windows:
        if window.until <= window.since:
            raise _bad(f"The window that begins at {window.since} ends no later.")
    for hours in said.weekly:
        for text in (hours.since, hours.until):
            _clock(text)
    left = sorted((it for it in said.windows if _at(it.until) > now), key=lambda it: (it.since, it.until, it.can))
    weekly = sorted(said.weekly, key=lambda it: (DAYS.index(it.day), it.since, it.until))
    return replace(said, windows=tuple(left), weekly=tuple(weekly))


def verdict(said: Availability | None, at: datetime) -> Verdict:
    """Return `can`, `cannot` or `unknown` for a player with this availability at an instant."""
    if said is None:
        return "unknown"
    answers = {it.can for it in said.windows if _at(it.since) <= at < _at(it.until)}
    if answers:
        return "cannot" if False in answers else "can"
    if not said.weekly:
        return "unknown"
    local = at.astimezone(ZoneInfo(said.zone)).replace(tzinfo=None)
    return "can" if any(_covers(hours, local) for hours in said.weekly) else "cannot"


def said_of(said: Mapping[str, Availability], players: Iterable[str], at: datetime) -> TimeSaid:
    """Return these players by their availability at an instant."""
    verdicts = {player: verdict(said.get(player), at) for player in players}
    can, cannot, unknown = (
        tuple(player for player, it in verdicts.items() if it == wanted) for wanted in ("can", "cannot", "unknown")
    )
    return TimeSaid(at, can, cannot, unknown)


def suited(said: Mapping[str, Availability], players: Sequence[str], now: datetime, most: int = 6) -> list[TimeSaid]:
    """Return the first times of the coming three weeks at which, for an hour, all players who have stated when they can
    play can, and no player can't. Candidates are the next half hour and the beginnings of windows and weekly hours. The
    list is empty if no player has stated when they can."""
    heard = [said[player] for player in players if player in said]
    times: list[TimeSaid] = []
    for at in sorted(set(_beginnings(heard, now))) if any(it.says_when for it in heard) else ():
        if all(_suits(it, at + later) for later in _ROOM for it in heard):
            times.append(said_of(said, players, at))
        if len(times) == most:
            break
    return times


def _suits(said: Availability, at: datetime) -> bool:
    answer = verdict(said, at)
    return answer == "can" if said.says_when else answer != "cannot"


def _beginnings(heard: Sequence[Availability], now: datetime) -> Iterator[datetime]:
    """Yield the instants at which a player becomes able to play."""
    soonest, last = _next_half_hour(now + _SOONEST), now + _LOOKS_AHEAD
    yield soonest
    for said in heard:
        begin = [_at(it.since if it.can else it.until) for it in said.windows]
        begin += (at for hours in said.weekly for at in _occurrences(hours, ZoneInfo(said.zone), now, last))
        yield from (at for at in begin if soonest <= at <= last)


def _occurrences(hours: WeeklyHours, zone: ZoneInfo, now: datetime, last: datetime) -> Iterator[datetime]:
    day = now.astimezone(zone).date()
    while day <= last.astimezone(zone).date():
        if day.weekday() == DAYS.index(hours.day):
            yield datetime.combine(day, _clock(hours.since), zone).astimezone(UTC)
        day += timedelta(days=1)


def _covers(hours: WeeklyHours, local: datetime) -> bool:
    """True if the hours, begun on the same day or the day before, contain a local time of their zone."""
    return any(_spans(hours, day, local) for day in (local.date(), local.date() - timedelta(days=1)))


def _spans(hours: WeeklyHours, day: date, local: datetime) -> bool:
    if day.weekday() != DAYS.index(hours.day):
        return False
    since, until = (datetime.combine(day, _clock(text)) for text in (hours.since, hours.until))
    return since <= local < (until if since < until else until + timedelta(days=1))


def _next_half_hour(at: datetime) -> datetime:
    whole = at.replace(minute=0, second=0, microsecond=0)
    return next(it for it in (whole, whole + _HALF_HOUR, whole + 2 * _HALF_HOUR) if it >= at)


def _at(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _clock(text: str) -> time:
    if not _TIME_OF_DAY.fullmatch(text):
        raise _bad(f"{text[:20]} is no time of day, such as 18:30.")
    return time.fromisoformat(text)


def _bad(why: str) -> Illegal:
    return Illegal("bad_availability", why)


def window(since: datetime, until: datetime, can: bool) -> Window:
    """A window between two instants; raises bad_availability where no year of UTC holds one."""
    try:
        return Window(instant(since), instant(until), can)
    except OverflowError:
        raise _bad("A window begins and ends at instants that the calendar of UTC holds.") from None
