"""A table before the start: its seats, invitations to them, and the start."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from games import catalogue
from matches.domain.aids import SENTENCES
from matches.html.entry import counted, led_to, posted_from, signed_in
from matches.html.unscheduled import unscheduled
from matches.http.match_access import hosts, match_named, refuse_unless_host
from matches.models import Match
from matches.reads import entitlements, feed, seeks, selectors
from matches.reads.documents.match import MatchDocument
from matches.services import opening
from matches.web.opening import invitations

_REASON = "The host started the match."


@require_safe
@signed_in
@counted
def seats(request: HttpRequest, code: str) -> HttpResponse:
    """Show the seats; for the host also the invitations and the start. Redirect to a match that has begun."""
    match = _match(code)
    if match.status != Match.Status.WAITING:
        return led_to(f"/m/{match.code}/", request)
    return render(request, "web/seats.html", _context(request, match))


@posted_from("web:seats", "code")
@signed_in
@counted
def start(request: HttpRequest, code: str) -> HttpResponse:
    """Begin play; for hosts alone."""
    match = _match(code)
    refuse_unless_host(request, match)
    opening.start(match_id=match.id, by=request.user.id, reason=_REASON)
    return redirect(f"/m/{match.code}/")


def _context(request: HttpRequest, match: Match) -> dict[str, object]:
    document = document_for(request, match)
    secrets = invitations.kept(request, match.code)
    open_seats = [seat for seat in document.seats if seat.player is None]
    return {
        "match": document,
        "aids": SENTENCES[document.aids],
        "tools": catalogue[match.game].tools,
        "unscheduled": unscheduled_document(document),
        "season_id": match.season_id,
        "seats": [(seat, _address(request, match, secrets.get(seat.seat))) for seat in document.seats],
        "open_seats": len(open_seats),
        "table": match,
        "is_invited": any(seat.accepted is False and seat.player.id == request.user.id for seat in document.seats),
        "awaited": [seat.player.username for seat in document.seats if seat.accepted is False],
        "uninvited": {seat.number for seat in match.seats.all() if seat.invitation is None},
        "is_host": hosts(request, match),
        "for_me": set(seeks.seeks_for(request.user).filter(match=match).values_list("number", flat=True)),
        "opener": selectors.name_of(match.opened_by_id),
        "clocks": document.clocks.times if document.clocks else {},
    }


def document_for(request: HttpRequest, match: Match) -> MatchDocument:
    """Return the match as the reader may see it, with an account or without; raise NotEntitled."""
    reader = str(request.user.pk) if request.user.is_authenticated else None
    lifecycle = entitlements.lifecycle_for(match.id, reader)
    return feed.match(match, entitlements.witness_of(lifecycle, reader), selectors.seats_of(match))


def unscheduled_document(document: MatchDocument) -> str:
    """Return a sentence about a match without an opening time; empty if there is nothing to say."""
    clocked = bool(document.clocks and document.clocks.times)
    return unscheduled(document.game, clocked=clocked, scheduled=document.opens_at is not None)


def _address(request: HttpRequest, match: Match, secret: str | None) -> str:
    """Return the link of an invitation."""
    return request.build_absolute_uri(f"/j/{match.code}/{secret}") if secret else ""


def _match(code: str) -> Match:
    return match_named(code.replace("\0", ""))
