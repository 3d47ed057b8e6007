"""The replay: a match at any version, seen as any witness that the reader may be, with its latest event."""

import json
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from games import catalogue
from games.kernel import HOST, SPECTATOR, Game, Witness, to_json
from matches.html import form_values, record
from matches.html.context import last_cells, motion, pictured, turn_note
from matches.html.entry import counted, posted_from, signed_in
from matches.html.seats import strips
from matches.html.stages import stage_of
from matches.reads import entitlements, feed
from matches.reads.sentences import portrait_of, short_names_of
from matches.services import hosting
from matches.web.play import film, talking
from matches.web.play.chains import chain_of
from matches.web.play.differences import differences
from matches.web.play.pages import styles_of
from matches.web.play.viewers import Viewer, viewer_of


@dataclass(frozen=True)
class Viewpoint:
    """A choice of witness: `name` as in the URL; `recorded` if choosing it is a look on record.

    `portrait` is that of the seat's player; empty for other witnesses, or without a player.
    """

    name: str
    label: str
    portrait: str
    current: bool
    recorded: bool


@require_safe
@counted
def replay(request: HttpRequest, code: str, version: int | None = None) -> HttpResponse:
    """Show the match at a version; by default at its newest, at the start of play with `play`, or with `round` at the
    result of this round."""
    viewer = viewer_of(request, code)
    requested = request.GET.get("as")
    witness = viewer.asking(requested)
    newest = feed.visible_state(viewer.match.id, witness).version
    if entitlements.is_watched(viewer.lifecycle, requested):
        if not 1 <= (version or 1) <= viewer.looked_at:
            return render(request, "web/match/look.html", {"match": viewer.match, "version": version or newest})
        newest = viewer.looked_at
    if version is None:
        first = _first(request, viewer, witness, newest)
        address = reverse("web:match-replay-at", args=[viewer.match.code, first])
        query = request.GET.copy()
        query.pop("round", None)
        return redirect(f"{address}?{query.urlencode()}" if query else address)
    if not 1 <= version <= newest:
        raise Http404(f"The match has the versions 1 to {newest}.")
    return render(request, "web/match/replay.html", _context(viewer, witness, version, newest))


@posted_from("web:match-replay", "code")
@signed_in
@counted
def look(request: HttpRequest, code: str) -> HttpResponse:
    """Record that the host looks at everything, then show it as of that moment."""
    viewer = viewer_of(request, code)
    viewer.asking(HOST.value)
    if entitlements.is_watched(viewer.lifecycle, HOST.value):
        hosting.view_truth(match_id=viewer.match.id, by=request.user.id)
    return redirect(f"{reverse('web:match-replay', args=[viewer.match.code])}?as={HOST.value}")


def _first(request: HttpRequest, viewer: Viewer, witness: Witness, newest: int) -> int:
    """Return the version at which the reader wants to begin."""
    number = form_values.version_in(request.GET.get("round", ""))
    if "play" not in request.GET and number is None:
        return newest
    events = record.witnessed_events(viewer.match.id, witness, 0, newest)
    if number is None:
        return film.opening(events)
    return film.end_of_round(catalogue[viewer.match.game], events, number) or newest


def _context(viewer: Viewer, witness: Witness, version: int, newest: int) -> dict[str, Any]:
    match = viewer.match
    names, witness = short_names_of(match), feed.looking_back(match.id, witness, version)
    match_state = feed.visible_state(match.id, witness, version)
    events = record.witnessed_events(match.id, witness, 0, newest)
    lines = record.lines(match_state, match.id, events, names)
    past = [line for line in lines if line.version <= version]
    seats = strips(match, match_state, witness)
    return {
        "match": match,
        "title": match_state.title,
        "styles": styles_of(match.game),
        "status": viewer.lifecycle.status,
        "version": version,
        "newest": newest,
        "goes_on": not viewer.lifecycle.over,
        "asked": entitlements.witness_name(witness),
        "viewpoints": viewpoints(viewer, witness, names),
        "seats": seats,
        "own": stage_of(match_state, witness, seats),
        "turn_note": turn_note(match_state, names),
        "line": next((line for line in past if line.version == version), None),
        "lines": list(reversed(past[-record.LINES :])),
        **talking.until_then(viewer, version),
        **_cut(match_state.game, events, lines, version),
        **_audited(viewer, witness, events, version),
        **pictured(match_state, witness, names, last=last_cells(match_state.game.slug, [events[version - 1]])),
    }


def _cut(game: Game, events: list[dict[str, Any]], lines: list[record.Line], version: int) -> dict[str, Any]:
    """Return the context of the film bar."""
    chapters, turns = film.chapters(game, events, version), film.turns(game, events)
    return {
        "chapters": chapters,
        "moments": film.key_events(game, events, lines, version),
        "turn": sum(begun <= version for begun in turns),
        "turns": len(turns),
        "has_rounds": film.has_rounds(game),
        "ticks": film.ticks(game, events),
        "stops": film.stops(game, events, version, chapters),
        "coming": film.coming(game, events, lines, version),
        "opening": film.opening(events),
        "motion": motion(game, [events[version - 1]]),
    }


def _audited(viewer: Viewer, witness: Witness, events: list[dict[str, Any]], version: int) -> dict[str, Any]:
    """Return the event at this version as it is in the record, and the result of checking the record."""
    event = events[version - 1]
    match_state = feed.visible_state(viewer.match.id, witness, version)
    before = feed.visible_state(viewer.match.id, witness, version - 1) if version > 1 else None
    return {
        "event": event,
        "event_json": json.dumps(event, indent=2, ensure_ascii=False, sort_keys=True),
        "previous_hash": events[version - 2]["hash"] if version > 1 else None,
        "hidden": [name for name in event["secret"] if event.get(name) is None],
        "changes": differences(to_json(before.state), to_json(match_state.state)) if before else [],
        "act_ends": film.act_ends(match_state.game, events, version),
        "head_hash": events[-1]["hash"],
        "chain": chain_of(viewer.match.id, viewer.witness, events[-1]["hash"]),
    }


def viewpoints(viewer: Viewer, witness: Witness, names: list[str]) -> list[Viewpoint]:
    """Return the witnesses that the reader may be: all of them once every secret is open."""
    labels = {f"seat:{seat}": name for seat, name in enumerate(names)} | {"spectator": "Public", "host": "Everything"}
    portraits = {f"seat:{seat.number}": portrait_of(seat) for seat in viewer.match.seats.all()}
    own = entitlements.witness_name(viewer.witness)
    open_to = set(labels) if viewer.lifecycle.is_open else {own, SPECTATOR.value}
    if viewer.may_look:
        open_to.add(HOST.value)
    now = entitlements.witness_name(witness)
    return [
        Viewpoint(name, label, portraits.get(name, ""), name == now, entitlements.is_watched(viewer.lifecycle, name))
        for name, label in labels.items()
        if name in open_to
    ]
