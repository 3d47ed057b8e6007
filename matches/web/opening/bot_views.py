"""A match against the bot by one click, for accounts and for guests."""

import re
from contextlib import suppress
from uuid import UUID, uuid4, uuid5

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from events.records import StreamConflict
from games import catalogue
from games.kernel import Illegal
from matches.domain.events import BOT
from matches.html.entry import counted, posted_from, signed_in
from matches.http import guests
from matches.http.bodies import OpenBody, SeatBody
from matches.http.new_matches import open_requested
from matches.models import Match
from matches.services import opening
from matches.web.opening.opening_views import BEGUN

_REASON = "Every seat was taken when the table was set."
_KEY = re.compile(r"[\x21-\x7e]{1,64}")
_OVER = (Match.Status.FINISHED, Match.Status.VOID)


@posted_from("web:game", "slug")
def friendly(request: HttpRequest, slug: str) -> HttpResponse:
    """Begin a match against the bot with the default options and no clock. A visitor without an account plays as a
    guest if the form says so."""
    if slug in catalogue and guests.is_requested(request):
        guests.sign_in(request)
    return _friendly(request, slug=slug)


@signed_in
@counted
def _friendly(request: HttpRequest, slug: str) -> HttpResponse:
    if slug not in catalogue:
        raise Http404
    match = _opened(request.user.pk, slug, _key_of(request))
    try:
        opening.start(match_id=match.id, by=request.user.pk, reason=_REASON)
    except Illegal as refused:
        if refused.code not in BEGUN:
            raise
    return redirect(f"/m/{match.code}/")


def _opened(player: UUID, slug: str, key: str) -> Match:
    """Return the match for the click with this key; a repeated click gets the same one, unless that is over."""
    match_id = uuid5(player, f"bot {slug} {key}")
    existing = Match.objects.filter(id=match_id).first()
    if existing is not None and existing.status not in _OVER:
        return existing
    seats = [SeatBody(player=str(player)), *[SeatBody(player=BOT)] * (catalogue[slug].seats.min - 1)]
    body = OpenBody(game=slug, seats=seats, clocks=None)
    # If the match exists by now, the same click was faster.
    with suppress(StreamConflict):
        match_id = open_requested(player, body, uuid4() if existing else match_id).match_id
    return Match.objects.get(id=match_id)


def _key_of(request: HttpRequest) -> str:
    key = request.POST.get("key", "")
    return key if _KEY.fullmatch(key) else uuid4().hex
