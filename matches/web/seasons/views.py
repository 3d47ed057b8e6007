"""The list of seasons, and the first tab of a season's page, at any version."""

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
"""A page with nine seasons and four faces each has the largest permitted size: see the benchmark `pages`."""


@require_safe
@counted
def seasons(request: HttpRequest) -> HttpResponse:
    reader = reader_of(request)
    visible, following = page(selectors.seasons_for(reader), request.GET.get("cursor") or None, _PAGE)
    return render(
        request, "web/seasons.html", {"seasons": season_tiles(visible, reader, _FACES_EACH), "next": following}
    )


@require_safe
@counted
def season(request: HttpRequest, season_id: UUID) -> HttpResponse:
    """Show a season, at the version `?at=` if given. Return 204 if `?shown=`, the page's mark, is still current."""
    reading = opened(request, season_id)
    if is_fresh(reading, request.GET.get("shown", "")):
        return HttpResponse(status=NOTHING_NEW)
    return render(request, "web/season.html", _context(request, reading))


def _context(request: HttpRequest, reading: Reading) -> dict[str, object]:
    document = reading.document
    final = document.final
    score = [(player, sum(it.status == "effective" and it.winner == player for it in final.matches))
             for player in final.players or ()]  # fmt: skip
    standings = {it.player.id: it for it in document.standings}
    return framed(
        reading,
        "season",
        ladder=ladder(document),
        to_come=episodes_to_come(document),
        enrolment=enrolment(request, reading),
        score=[(standings[player], won) for player, won in score],
        final_matches=fixtures(reading, final.matches),
    )
