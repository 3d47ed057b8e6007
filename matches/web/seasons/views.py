"""Seasons: the list, and the first page of one, at any version."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from matches.html.entry import counted
from matches.http.paging import page
from matches.seasons.reads import selectors
from matches.web.lobby.season_tiles import season_tiles
from matches.web.seasons.enrolment import enrolment
from matches.web.seasons.frame import NOTHING_NEW, framed, is_fresh
from matches.web.seasons.ladder import episodes_to_come, ladder
from matches.web.seasons.reading import Reading, opened, reader_of
from matches.web.seasons.schedule import fixtures

_PAGE = 9
_FACES_EACH = 4
"""Nine posters with four faces weigh what a page may at first sight."""


@require_safe
@counted
def seasons(request: HttpRequest) -> HttpResponse:
    reader = reader_of(request)
    found, following = page(selectors.seasons_for(reader), request.GET.get("cursor") or None, _PAGE)
    return render(request, "web/seasons.html", {"seasons": season_tiles(found, reader, _FACES_EACH), "next": following})


@require_safe
@counted
def season(request: HttpRequest, season_id: UUID) -> HttpResponse:
    """Where one season stands; with `?at=` as it stood at that version. With `?shown=` nothing where the page that is
    shown is fresh."""
    reading = opened(request, season_id)
    if is_fresh(reading, request.GET.get("shown", "")):
        return HttpResponse(status=NOTHING_NEW)
    return render(request, "web/season.html", _told(request, reading))


def _told(request: HttpRequest, reading: Reading) -> dict[str, object]:
    document = reading.document
    final = document.final
    score = [(player, sum(it.status == "effective" and it.winner == player for it in final.matches))
             for player in final.players or ()]  # fmt: skip
    known = {it.player.id: it for it in document.standings}
    return framed(
        reading,
        "season",
        ladder=ladder(document),
        to_come=episodes_to_come(document),
        enrolment=enrolment(request, reading),
        score=[(known[player], won) for player, won in score],
        deciders=fixtures(reading, final.matches),
    )
