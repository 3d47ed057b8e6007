"""The seat's nonce, which the match page's script commits to and shows."""

import msgspec
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_POST

from matches.html.entry import counted, signed_in
from matches.http.bodies import NonceBody
from matches.http.commands import give_nonce
from matches.http.problems import Problem
from matches.web.play.pages import framed
from matches.web.play.viewers import viewer_of


@require_POST
@signed_in
@counted
def nonce(request: HttpRequest, code: str) -> HttpResponse:
    """Take the commitment to a nonce, or the nonce; respond with the new frame."""
    viewer = viewer_of(request, code)
    if viewer.account is None or viewer.seat is None:
        raise Problem("forbidden", "You hold no seat at this match.")
    sent = {name: value for name, value in request.POST.items() if name in ("nonce", "commitment")}
    try:
        body = msgspec.convert(sent, NonceBody)
    except msgspec.ValidationError as error:
        raise Problem("malformed", f"{error}.") from None
    give_nonce(viewer.match.id, viewer.account.id, viewer.seat, body)
    return JsonResponse(framed(viewer.match, viewer.witness))
