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
    return _written(request, calendars.of_season(row))


@never_cache
@require_safe
@counted
def behind(request: HttpRequest, secret: str) -> HttpResponse:
    """Return the calendar of a secret address."""
    found = calendars.behind(secret)
    if found is None:
        raise Problem("not_found", _("There is no such calendar, or its address was revoked."))
    return _written(request, found)


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
    """Make a new address, which is shown once; the one before it is revoked."""
    secret = calendars.make(request.user, _asked(request))
    return _page(request, calendars.address_of(secret, _root(request)))


@posted_from("web:calendars")
@signed_in
@counted
def revoke(request: HttpRequest) -> HttpResponse:
    calendars.revoke(request.user, _asked(request))
    messages.success(request, _("That address is good no more."))
    return redirect("web:calendars")


def _page(request: HttpRequest, made: str = "") -> HttpResponse:
    told = {
        "made": made,
        "links": calendars.links_of(request.user),
        "seasons": list(selectors.under_way_for(request.user)),
    }
    return render(request, "web/calendars.html", told)


def _asked(request: HttpRequest) -> Season | None:
    """Return the season that the form names, None for the account's own calendar; raise Problem."""
    asked = request.POST.get("season", "")
    if not asked:
        return None
    try:
        found = selectors.season_for(request.user, UUID(asked))
    except ValueError:
        found = None
    if found is None:
        raise Problem("not_found", _("There is no such season."))
    return found


def _written(request: HttpRequest, calendar: calendars.Calendar) -> HttpResponse:
    written = calendars.written(calendar, settings.PUBLIC_URL or _root(request))
    return HttpResponse(written, content_type=calendars.CONTENT_TYPE)


def _root(request: HttpRequest) -> str:
    return request.build_absolute_uri("/").rstrip("/")
