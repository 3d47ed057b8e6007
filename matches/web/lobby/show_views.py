"""The match on the front page: bots play it at a person's pace, and the page polls it."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.kernel import SPECTATOR
from matches.domain import show
from matches.html import record
from matches.html.context import ending, last_cells, motion, parts
from matches.html.entry import counted
from matches.html.seats import strips
from matches.models import Match
from matches.publishing import presence
from matches.reads import feed, selectors
from matches.reads.sentences import short_names_of
from matches.storage.repository import BrokenRecord

_TOLD = 4
_LOOKED_AT = 12
"""The page reads so many of the latest events, for its sentences and movements."""


@require_safe
@counted
def frame(request: HttpRequest) -> HttpResponse:
    """Return the shown match as a part of the front page; 204 if the page is up to date."""
    shown = show_context()
    page_state = request.GET.get("match", ""), request.GET.get("after", "")
    if shown is None or page_state == (shown["match"].code, str(shown["version"])):
        return HttpResponse(status=204)
    return render(request, "web/show.html", {"show": shown})


def show_context() -> dict[str, Any] | None:
    """Return the context of the shown match, as spectators see it; None if there is none.

    Each request counts as a watcher: the bots go on as long as there is one.
    """
    presence.note({show.AUDIENCE: [presence.watcher("front")]})
    match = selectors.newest_show()
    try:
        return _of(match) if match else None
    except BrokenRecord:
        return None


def _of(match: Match) -> dict[str, Any]:
    match_state = feed.visible_state(match.id, SPECTATOR)
    names, version = short_names_of(match), match_state.version
    events = record.witnessed_events(match.id, SPECTATOR, max(0, version - _LOOKED_AT), version)
    table, *_ = parts(match_state, SPECTATOR, names, last=last_cells(match.game, events))
    lines = [line for line in record.lines(match_state, match.id, events, names) if line.kind == "move"]
    is_over = match_state.lifecycle.over
    return {
        "match": match,
        "version": version,
        "title": match_state.title,
        "seats": strips(match, match_state, SPECTATOR),
        "headline": ending(match_state.lifecycle, names)
        if is_over
        else match_state.game.board.headline(match_state.state, names=names),
        "is_over": is_over,
        "board": table.drawn,
        "lines": lines[: -_TOLD - 1 : -1],
        "motion": motion(match_state.game, events),
    }
