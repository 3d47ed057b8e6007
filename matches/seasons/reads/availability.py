"""Availability of a season's players, for those who set or offer its matches' times."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

import msgspec
from msgspec import Struct

from games.kernel import Event
from matches.models import Account
from matches.seasons.domain import appointments, scheduling
from matches.seasons.domain.availability import (
    Availability,
    TimeSaid,
    WeeklyHours,
    Window,
    said_of,
    suited,
    verdict,
)
from matches.seasons.domain.deciding import Caller
from matches.seasons.domain.events import MatchTimeSet, TimeAccepted, TimesProposed
from matches.seasons.domain.state import Season
from matches.seasons.models import Availability as Row
from matches.seasons.reads import feed
from matches.seasons.reads.event_documents import NOBODY


class AvailabilityDocument(Struct, frozen=True):
    """A player's availability: dated `windows` in which they can or can't play, and `weekly` hours as local times of
    `zone`. A window in which they can't play overrides one in which they can, and both override the weekly hours."""

    player: UUID
    zone: str
    windows: list[Window]
    weekly: list[WeeklyHours]


class AvailabilityList(Struct, frozen=True):
    """Availability of the season's present players, without those who have stated none."""

    results: list[AvailabilityDocument]
    next: None = None


class TimeSaidDocument(Struct, frozen=True):
    """A match's players by their availability at an instant; `unknown` have said nothing about it."""

    at: datetime
    can: list[UUID]
    cannot: list[UUID]
    unknown: list[UUID]


class MatchTimesDocument(Struct, frozen=True):
    """Availability of a match's players at its time, at the times that are `proposed` for it, and at the time that the
    request `asked` about. `suited` are times that suit all players who have said when they can play."""

    opens_at: TimeSaidDocument | None
    proposed: list[TimeSaidDocument]
    asked: TimeSaidDocument | None
    suited: list[TimeSaidDocument]


class TimesSaid(NamedTuple):
    """Players' availability at `times`, and times that suit them."""

    times: list[TimeSaid]
    suited: list[TimeSaid]


def said_in(season_id: UUID, players: Iterable[str]) -> dict[str, Availability]:
    """Return the availability that these players have stored, by account."""
    rows = Row.objects.filter(season_id=season_id, account_id__in=[UUID(player) for player in players])
    return {str(row.account_id): msgspec.convert(row.said, Availability) for row in rows}


def said_by(season_id: UUID, account_id: UUID) -> Availability:
    """Return an account's availability; an empty one in its zone if none is stored."""
    zone = Account.objects.values_list("time_zone", flat=True).get(id=account_id)
    return said_in(season_id, [str(account_id)]).get(str(account_id), Availability(zone))


def advice(season_id: UUID, season: Season, by: Caller, events: Sequence[Event]) -> list[str]:
    """A sentence for each player who has said that they can't play at a time that these events set or offer: of all of
    them for the season's officials, of themselves for a player."""
    times = [(at, player) for event in events for at, players in _times_in(season, event) for player in players]
    if by.role is None:
        times = [it for it in times if it[1] == by.account]
    if not times:
        return []
    said, names = said_in(season_id, {player for _, player in times}), feed.names_in(season)
    return [
        f"{names.get(player, NOBODY)} said that they can't play on {at:%Y-%m-%d %H:%M} UTC."
        for at, player in dict.fromkeys(times)
        if verdict(said.get(player), at) == "cannot"
    ]


def document(player: UUID, said: Availability) -> AvailabilityDocument:
    return AvailabilityDocument(player, said.zone, list(said.windows), list(said.weekly))


def listed(season_id: UUID, season: Season) -> AvailabilityList:
    """Return the stored availability of the season's living players, in the order of their enrolment."""
    said = said_in(season_id, season.living)
    return AvailabilityList([document(UUID(player), said[player]) for player in season.living if player in said])


def times_said(season_id: UUID, players: Sequence[str], times: Iterable[datetime], now: datetime) -> TimesSaid:
    """Return what these players have said of these times, and times that suit them."""
    said = said_in(season_id, players)
    return TimesSaid([said_of(said, players, at) for at in times], suited(said, players, now))


def times_of_match(
    season_id: UUID, season: Season, match: str, now: datetime, extra: datetime | None
) -> MatchTimesDocument:
    season_match = season.matches[match]
    own = [datetime.fromisoformat(season_match.opens_at)] if season_match.opens_at else []
    proposed = [datetime.fromisoformat(time) for time in appointments.times_of(season, match)]
    said = times_said(season_id, season_match.players, [*own, *proposed, *([extra] if extra else [])], now)
    documents = [_document(it) for it in said.times]
    return MatchTimesDocument(
        opens_at=documents[0] if own else None,
        proposed=documents[len(own) : len(own) + len(proposed)],
        asked=documents[-1] if extra else None,
        suited=[_document(it) for it in said.suited],
    )


def _document(said: TimeSaid) -> TimeSaidDocument:
    can, cannot, unknown = ([UUID(player) for player in it] for it in (said.can, said.cannot, said.unknown))
    return TimeSaidDocument(said.at, can, cannot, unknown)


def _times_in(season: Season, event: Event) -> list[tuple[datetime, tuple[str, ...]]]:
    """Return the instants that an event sets or offers for a match, each with the match's players."""
    if isinstance(event, TimesProposed | TimeAccepted | MatchTimeSet):
        players = season.matches[event.match].players
    elif isinstance(event, scheduling.SCHEDULED):
        players = event.players
    else:
        return []
    return [(datetime.fromisoformat(opens_at), players) for opens_at in scheduling.times_in(event)]
