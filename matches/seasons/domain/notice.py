"""The least notice of a season, the time between an announcement and what falls due by it; its quiet hours. Pure."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from games.kernel import Event, Illegal
from matches.domain.calls import Quiet, after
from matches.domain.openings import setup_seconds
from matches.seasons.domain.deciding import Batch
from matches.seasons.domain.events import DecisionExtended, SeatingAsked
from matches.seasons.domain.scheduling import times_in
from matches.seasons.domain.state import Season


def earliest(season: Season, now: datetime) -> datetime:
    """Return the first instant at which something may fall due that is announced now."""
    return outside_quiet_hours(season, now + timedelta(minutes=season.options.least_notice_minutes))


def outside_quiet_hours(season: Season, at: datetime) -> datetime:
    """Return the first instant, from `at` on, outside the season's quiet hours."""
    quiet = season.options.quiet
    return after(quiet, at) if quiet else at


def refuse_quiet_hours(season: Season, events: Sequence[Event]) -> None:
    """Raise bad_opening_time if a match or its check-in begins, or its set-up closes, in the season's quiet hours;
    bad_deadline if a deadline lies in them."""
    batch = Batch(season)
    batch.add(*events)
    quiet = batch.season.options.quiet
    if quiet is None:
        return
    for event in events:
        if isinstance(event, DecisionExtended) and _is_quiet(quiet, datetime.fromisoformat(event.until)):
            raise Illegal("bad_deadline", f"No deadline lies in the season's quiet hours, {_hours(quiet)}.")
        for opens_at, closes in _openings(batch.season, event):
            check_in = timedelta(minutes=batch.season.options.check_in_minutes)
            moments = {"A match opens": opens_at, "Its set-up closes": opens_at - closes}
            moments["Its check-in begins"] = opens_at - check_in
            for what, at in moments.items():
                if _is_quiet(quiet, at):
                    raise Illegal(
                        "bad_opening_time",
                        f"Nothing begins or falls due in the season's quiet hours, {_hours(quiet)}. {what} in them, at "
                        f"{at.astimezone(ZoneInfo(quiet.zone)):%H:%M}: choose another time.",
                    )


def _is_quiet(quiet: Quiet, at: datetime) -> bool:
    return after(quiet, at) != at


def _hours(quiet: Quiet) -> str:
    return f"{quiet.begins:%H:%M} to {quiet.ends:%H:%M} ({quiet.zone})"


def refuse_short_notice(season: Season, events: Sequence[Event], now: datetime) -> None:
    """Raise bad_opening_time if a match opens, or its set-up closes, before the least notice; bad_deadline if a
    deadline lies before it."""
    batch = Batch(season)
    batch.add(*events)
    first = earliest(batch.season, now)
    for event in events:
        if isinstance(event, DecisionExtended) and datetime.fromisoformat(event.until) < first:
            raise Illegal("bad_deadline", f"{_notice(season)} The earliest deadline is {_in_minutes(first)}.")
        for opens_at, closes in _openings(batch.season, event):
            if opens_at - closes < first:
                raise Illegal("bad_opening_time", _too_soon(season, first, closes))


def _openings(season: Season, event: Event) -> Iterator[tuple[datetime, timedelta]]:
    """Yield when matches open by an event, and how long before that their set-up closes."""
    times = [datetime.fromisoformat(it) for it in times_in(event)]
    if not times:
        return
    if isinstance(event, SeatingAsked):
        has_setup = setup_seconds(event.game, event.options, event.clocks, event.setup_closes)
        closes = event.setup_closes
    else:
        match = season.matches[event.match]  # type: ignore[attr-defined]
        has_setup, closes = match.setup, match.setup_closes
    for at in times:
        yield at, timedelta(seconds=closes if has_setup else 0)


def _too_soon(season: Season, first: datetime, closes: timedelta) -> str:
    sentence = f"{_notice(season)} The earliest time is {_in_minutes(first + closes)}"
    if closes:
        minutes = closes // timedelta(minutes=1)
        return f"{sentence}, as the set-up closes {minutes} minutes before play."
    return f"{sentence}; a match without a time begins when its host starts it."


def _notice(season: Season) -> str:
    minutes = season.options.least_notice_minutes
    return f"Players are given notice of at least {minutes} minute{'s' if minutes > 1 else ''} in this season."


def _in_minutes(at: datetime) -> str:
    """Return an instant rounded up to the minute."""
    return f"{at + timedelta(seconds=59, microseconds=999_999):%Y-%m-%d %H:%M} UTC"
