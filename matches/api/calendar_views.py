"""Calendar addresses of a season's matches, or of the caller's own."""

from datetime import datetime
from uuid import UUID

from django.http import HttpResponse
from msgspec import Struct
from rest_framework.request import Request
from rest_framework.views import APIView

from matches.api.season_access import visible_season
from matches.http.operations import operation
from matches.http.problems import Problem
from matches.http.responses import answer, nothing
from matches.seasons import calendars
from matches.seasons.models import CalendarLink, Season

_SCOPES = {"GET": "match:read", "PUT": "match:play", "DELETE": "match:play"}


class CalendarMade(Struct, frozen=True):
    """The calendar's address. It contains a secret and isn't shown again."""

    url: str


class CalendarTold(Struct, frozen=True):
    """The instant at which the address was made."""

    made_at: datetime


class CalendarView(APIView):
    scopes = _SCOPES

    @operation("readCalendar", tag="Account", answers={200: CalendarTold}, problems=("no_calendar",))
    def get(self, request: Request) -> HttpResponse:
        """Read when your calendar address was made."""
        return _read(request, None)

    @operation("makeCalendar", tag="Account", answers={200: CalendarMade})
    def put(self, request: Request) -> HttpResponse:
        """Make an address at which calendar programs read your matches of all seasons. It replaces your earlier one."""
        return _make(request, None)

    @operation("revokeCalendar", tag="Account", answers={204: None}, problems=("no_calendar",))
    def delete(self, request: Request) -> HttpResponse:
        """Revoke your calendar address."""
        return _revoke(request, None)


class SeasonCalendarView(APIView):
    scopes = _SCOPES

    @operation("readSeasonCalendar", tag="Season", answers={200: CalendarTold}, problems=("no_calendar",))
    def get(self, request: Request, season_id: UUID) -> HttpResponse:
        """Read when your calendar address for this season was made."""
        return _read(request, visible_season(request, season_id))

    @operation("makeSeasonCalendar", tag="Season", answers={200: CalendarMade})
    def put(self, request: Request, season_id: UUID) -> HttpResponse:
        """Make a personal address at which calendar programs read the season's matches, as long as you may see the
        season. It replaces your earlier one. A public season has a calendar for everybody at
        `/seasons/{id}/calendar.ics`."""
        return _make(request, visible_season(request, season_id))

    @operation("revokeSeasonCalendar", tag="Season", answers={204: None}, problems=("no_calendar",))
    def delete(self, request: Request, season_id: UUID) -> HttpResponse:
        """Revoke your calendar address for this season."""
        return _revoke(request, visible_season(request, season_id))


def _read(request: Request, season: Season | None) -> HttpResponse:
    link = CalendarLink.objects.filter(account=request.user, season=season).first()
    if link is None:
        raise Problem("no_calendar")
    return answer(CalendarTold(link.made_at))


def _make(request: Request, season: Season | None) -> HttpResponse:
    secret = calendars.make(request.user, season)
    return answer(CalendarMade(calendars.address_of(secret, request.build_absolute_uri("/").rstrip("/"))))


def _revoke(request: Request, season: Season | None) -> HttpResponse:
    if not calendars.revoke(request.user, season):
        raise Problem("no_calendar")
    return nothing()
