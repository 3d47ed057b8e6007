"""Offers between the seats of a friendly on the match page, and their answers."""

import re
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from games.kernel import Illegal
from matches.domain.events import OfferKind
from matches.domain.offers import MOST_PAUSE_MINUTES
from matches.html.entry import counted, posted_from, signed_in
from matches.html.form_values import press_of
from matches.http.problems import Problem, wants_document
from matches.services import offering, playing
from matches.web.play.pages import framed, refused
from matches.web.play.viewers import viewer_of

_ANSWER = re.compile(r"(accept|decline)-([1-9][0-9]{0,8})", re.ASCII)
_KINDS: dict[str, OfferKind] = {"takeback": "takeback", "pause": "pause", "resume": "resume", "time": "time"}


@posted_from("web:match", "code")
@signed_in
@counted
def offers(request: HttpRequest, code: str) -> HttpResponse:
    """Make an offer, or answer one, as the field `act` says. A script gets the new frame or a problem; a form redirects
    to the page."""
    viewer = viewer_of(request, code)
    if viewer.seat is None or viewer.account is None:
        raise Problem("forbidden", _("You hold no seat at this match."))
    try:
        _carry_out(viewer.match.id, viewer.account.id, request.POST, press_of(request))
    except (Illegal, playing.NotAllowed, Problem) as refusal:
        return refused(request, viewer, refusal)
    if not wants_document(request):
        return redirect("web:match", code=viewer.match.code)
    return JsonResponse(framed(viewer.match, viewer.witness))


def _carry_out(match_id: UUID, player: UUID, form: QueryDict, key: str) -> None:
    act, minutes = form.get("act", ""), form.get("minutes", "")
    if answer := _ANSWER.fullmatch(act):
        do = offering.accept_offer if answer[1] == "accept" else offering.decline_offer
        do(match_id=match_id, player=player, number=int(answer[2]))
        return
    if act not in _KINDS:
        raise Problem(
            "malformed", _("That is neither an offer nor an answer to one. Load the page again and use its buttons.")
        )
    if act != "pause":
        offering.make_offer(match_id=match_id, player=player, kind=_KINDS[act], key=key)
        return
    if re.fullmatch(r"[1-9][0-9]{0,4}", minutes, re.ASCII) is None or int(minutes) > MOST_PAUSE_MINUTES:
        raise Problem(
            "malformed",
            _("A pause lasts 1 to %(most)s minutes.") % {"most": MOST_PAUSE_MINUTES},
        )
    offering.make_offer(match_id=match_id, player=player, kind="pause", minutes=int(minutes), key=key)
