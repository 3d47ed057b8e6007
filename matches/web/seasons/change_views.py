"""The stream that tells open pages of a season that it has changed."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from matches.html.entry import counted
from matches.http.problems import Problem
from matches.http.streaming import begin_for_page
from matches.seasons.reads import selectors
from matches.web.seasons.reading import reader_of


@require_safe
@counted
def changes(request: HttpRequest, season_id: UUID) -> HttpResponse:
    """Stream events `changed` without content, after which pages load themselves again; raise Problem for readers who
    may not see the season."""
    reader = reader_of(request)
    season = selectors.season_for(reader, season_id)
    if season is None:
        raise Problem("not_found")
    return begin_for_page(request, reader, season=season_id, version=season.version)
