"""Open seats on pages: the list, sitting down, and the audience of a seat."""

from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from games import catalogue
from games.kernel import Illegal
from matches.html.entry import counted, posted_from, signed_in
from matches.http.match_access import match_named, refuse_unless_host
from matches.http.paging import page
from matches.reads import entitlements, seeks
from matches.services import seeking
from matches.web.opening import opening_form

_PAGE = 20


@require_safe
@signed_in
@counted
def listed(request: HttpRequest) -> HttpResponse:
    """List the seats that the reader may take, newest first; of one game if it is named."""
    game = request.GET.get("game", "")
    wanted = game if game in catalogue else ""
    query_of_seats = seeks.seeks_for(request.user, wanted)
    rows, following = page(query_of_seats, request.GET.get("cursor") or None, _PAGE, order=("-id",))
    context = {
        "seeks": seeks.documents(rows),
        "wanted": wanted,
        "games": sorted(catalogue.values(), key=lambda it: it.title),
        "next": urlencode({"game": wanted, "cursor": following}) if following else "",
    }
    return render(request, "web/seeks.html", context)


@posted_from("web:seats", "code")
@signed_in
@counted
def take(request: HttpRequest, code: str) -> HttpResponse:
    """Take a seat; redirect to the table, also if somebody was faster."""
    match = match_named(code)
    # A match that the reader may not see must not be revealed, not even by the refusal's reason.
    entitlements.lifecycle_for(match.id, str(request.user.pk))
    try:
        seeking.take_seat(match_id=match.id, player=request.user.pk, seat=_seat(request))
    except Illegal as refused:
        messages.error(request, refused.message)
    return redirect("web:seats", code=match.code)


@posted_from("web:seats", "code")
@signed_in
@counted
def open_seat(request: HttpRequest, code: str) -> HttpResponse:
    """Set the audience of a seat; for hosts alone."""
    match = match_named(code)
    refuse_unless_host(request, match)
    seat = _seat(request)
    named, fault = _audience(request, seat)
    try:
        if not fault:
            seeking.open_seat(match_id=match.id, by=request.user.pk, seat=seat, open_to=named)
    except Illegal as refused:
        fault = refused.message
    if fault:
        messages.error(request, fault)
    return redirect("web:seats", code=match.code)


def _audience(request: HttpRequest, seat: int) -> tuple[list[UUID] | None, str]:
    """Return the accounts that the form names (empty for anybody, None for the invitation alone), and what is wrong."""
    choice = request.POST.get(f"open_to-{seat}", "")
    if choice == "named":
        return opening_form.accounts_named(request.POST.get("names", ""))
    return ([] if choice == "anybody" else None), ""


def _seat(request: HttpRequest) -> int:
    """Return the seat's number; -1 if no browser has sent it."""
    number = request.POST.get("seat", "")
    return int(number) if number.isascii() and number.isdigit() and len(number) < 5 else -1
