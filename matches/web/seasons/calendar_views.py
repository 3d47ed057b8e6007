"""Calendars for calendar programs, and the page on which an account makes and revokes their addresses."""

from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from matches.html.entry import counted, posted_from, signed_in
from matches.http.problems import Problem
from matches.seasons import calendars
from matches.seasons.models import Season
from matches.seasons.reads import selectors
from matches.web.seasons.reading import reader_of


@never_cache
@require_safe
@counted
def season(request: HttpRequest, season_id: UUID) -> HttpResponse:
    row = selectors.season_for(reader_of(request), season_id)
    if row is None:
        raise Problem("not_found", _("There is no season with this id, or it isn't public."))
    return _calendar_response(request, calendars.of_season(row))


@never_cache
@require_safe
@counted
def secret_calendar(request: HttpRequest, secret: str) -> HttpResponse:
    """Return the calendar of a secret address."""
    calendar = calendars.load_calendar(secret)
    if calendar is None:
        raise Problem("not_found", _("There is no such calendar, or its address was revoked."))
    return _calendar_response(request, calendar)


@never_cache
@require_safe
@signed_in
@counted
def page(request: HttpRequest) -> HttpResponse:
    return _page(request)


@never_cache
@posted_from("web:calendars")
@signed_in
@counted
def make(request: HttpRequest) -> HttpResponse:
    """Make a new address, which is shown only now; the previous one is revoked."""
    secret = calendars.make(request.user, _season_named(request))
    return _page(request, calendars.address_of(secret, _root(request)))


@posted_from("web:calendars")
@signed_in
@counted
def revoke(request: HttpRequest) -> HttpResponse:
    calendars.revoke(request.user, _season_named(request))
    messages.success(request, _("The address is revoked."))
    return redirect("web:calendars")


def _page(request: HttpRequest, made: str = "") -> HttpResponse:
    context = {
        "made": made,
        "links": calendars.links_of(request.user),
        "seasons": list(selectors.under_way_for(request.user)),
    }
    return render(request, "web/calendars.html", context)


def _season_named(request: HttpRequest) -> Season | None:
    """Return the season that the form names, None for the account's own calendar; raise Problem."""
    season_id = request.POST.get("season", "")
    if not season_id:
        return None
    try:
        season = selectors.season_for(request.user, UUID(season_id))
    except ValueError:
        season = None
    if season is None:
        raise Problem("not_found", _("There is no such season."))
    return season


def _calendar_response(request: HttpRequest, calendar: calendars.Calendar) -> HttpResponse:
    text = calendars.written(calendar, settings.PUBLIC_URL or _root(request))
    return HttpResponse(text, content_type=calendars.CONTENT_TYPE)


def _root(request: HttpRequest) -> str:
    return request.build_absolute_uri("/").rstrip("/")
