"""The page of a player's tenure in a season, at any version."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from matches.html.entry import counted
from matches.http.problems import Problem
from matches.seasons.reads import feed
from matches.seasons.reads.documents import EpisodeDocument, SeasonDocument
from matches.web.seasons.deeds import before_handing_over
from matches.web.seasons.frame import NOTHING_NEW, is_fresh, mark_of
from matches.web.seasons.ladder import ending, is_former, mark
from matches.web.seasons.ledger import movement
from matches.web.seasons.reading import opened
from matches.web.seasons.schedule import fixtures
from matches.web.seasons.tenure import bars, decisions, proposed, to_come


@require_safe
@counted
def player(request: HttpRequest, season_id: UUID, account: UUID) -> HttpResponse:
    """Show a player's tenure: its episodes, matches, garnets and events. With the page's mark in `?shown=` return 204
    if it is up to date."""
    reading = opened(request, season_id)
    if is_fresh(reading, request.GET.get("shown", "")):
        return HttpResponse(status=NOTHING_NEW)
    document, call = reading.document, reading.call
    tenure = feed.tenure(document.id, account, document.version)
    if tenure is None:
        raise Problem("not_found", _("No player has this id, or none had it at that version."))
    standing, happened = tenure.standing, reading.events()
    coming = to_come(tenure.matches)
    context = reading.context(
        standing=standing,
        mark=mark_of(reading),
        is_former=is_former(standing),
        ending=ending(standing, call),
        predecessor=call(standing.succeeds) if standing.succeeds else "",
        successor=call(standing.succeeded_by) if standing.succeeded_by else "",
        marks=[
            (it, mark(it, standing), before_handing_over(it, account))
            for it in _tenure(document, standing.since, standing.left)
        ],
        matches=fixtures(reading, tenure.matches),
        bars=bars(account, tenure.ledger, happened, standing.since, standing.left),
        decisions=decisions(account, happened),
        appointments=list(zip(fixtures(reading, coming), map(proposed, coming), strict=True)),
        ledger=[movement(it, call) for it in reversed(tenure.ledger)],
        events=[it for it in reversed(happened) if _names(it, str(account))],
    )
    return render(request, "web/season_player.html", context)


def _tenure(document: SeasonDocument, since: int, left: int | None) -> list[EpisodeDocument]:
    return [it for it in document.episodes if since <= it.number <= (left or len(document.episodes))]


def _names(value: object, account: str) -> bool:
    """True if an event's fields, the actor aside, name this account."""
    if isinstance(value, dict):
        return any(_names(it, account) for name, it in value.items() if name != "actor")
    if isinstance(value, list | tuple):
        return any(_names(it, account) for it in value)
    return value == account
