"""An invitation: the match and its host, for anyone with the link, and the seat that it gives."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from games import catalogue
from matches.domain.aids import SENTENCES
from matches.html.entry import counted, signed_in
from matches.http import guests
from matches.http.match_access import match_named
from matches.http.problems import Problem
from matches.models import Match
from matches.reads import entitlements, selectors
from matches.services import opening
from matches.web.opening.table_views import document_for, unscheduled_document


@require_http_methods(["GET", "HEAD", "POST"])
@counted
def invitation(request: HttpRequest, code: str, secret: str) -> HttpResponse:
    """Show the page; a POST takes the seat, as a guest if an anonymous visitor asks for that."""
    match = match_named(code.replace("\0", ""))
    if request.user.is_authenticated and _sits(request, match):
        return redirect("web:seats", code=match.code)
    if request.method == "POST":
        return _take(request, match, secret)
    _refuse_invalid(match, secret)
    document = document_for(request, match)
    context = {
        "match": document,
        "aids": SENTENCES[document.aids],
        "tools": catalogue[match.game].tools,
        "unscheduled": unscheduled_document(document),
        "season": match.season,
        "table": match,
        "opener": selectors.name_of(match.opened_by_id),
    }
    return render(request, "web/invitation.html", context)


def _take(request: HttpRequest, match: Match, secret: str) -> HttpResponse:
    if guests.is_requested(request) and match.season_id is None:
        # In this order: if another request of this browser has taken the seat, its guest existed before.
        if opening.invited_seat(match.id, secret) is None and guests.recent_guest(request) is None:
            _refuse_invalid(match, secret)
        guests.sign_in(request)
    return _joined(request, match, secret)


@signed_in
def _joined(request: HttpRequest, match: Match, secret: str) -> HttpResponse:
    opening.join(match_id=match.id, player=request.user.pk, invitation=secret)
    return redirect("web:seats", code=match.code)


def _sits(request: HttpRequest, match: Match) -> bool:
    player = str(request.user.pk)
    return entitlements.lifecycle_for(match.id, player).seat_of(player) is not None


def _refuse_invalid(match: Match, secret: str) -> None:
    if opening.invited_seat(match.id, secret) is None:
        raise Problem("no_such_invitation", "The invitation is not valid, or its seat is taken.")
