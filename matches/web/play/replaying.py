"""The replay: a match at any version, seen as any witness that the reader may be, with the event that led there."""

import json
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from games.kernel import HOST, SPECTATOR, Witness, to_json
from matches import services
from matches.html import record
from matches.html.context import last_cells, pictured
from matches.html.entry import counted, posted_from, signed_in
from matches.reads import feed
from matches.reads.sentences import short_names_of
from matches.web.play import talking
from matches.web.play.chains import chain_of
from matches.web.play.differences import differences
from matches.web.play.viewers import Viewer, viewer_of


@dataclass(frozen=True)
class Viewpoint:
    """A way of seeing: `asked` as the address has it, `recorded` where it takes a look that stands in the record."""

    asked: str
    label: str
    current: bool
    recorded: bool


@require_safe
@counted
def replay(request: HttpRequest, code: str, version: int | None = None) -> HttpResponse:
    """The match at a version; without one, at its newest."""
    viewer = viewer_of(request, code)
    asked = request.GET.get("as")
    witness = viewer.asking(asked)
    newest = feed.visible_state(viewer.match.id, witness).version
    if feed.is_watched(viewer.story, asked):
        if not 1 <= (version or 1) <= viewer.looked_at:
            return render(request, "web/match/look.html", {"match": viewer.match, "version": version or newest})
        newest = viewer.looked_at
    if version is None:
        address = reverse("web:match-replay-at", args=[viewer.match.code, newest])
        query = request.GET.urlencode()
        return redirect(f"{address}?{query}" if query else address)
    if not 1 <= version <= newest:
        raise Http404(f"The match has the versions 1 to {newest}.")
    return render(request, "web/match/replay.html", _context(viewer, witness, version, newest))


@posted_from("web:match-replay", "code")
@signed_in
@counted
def look(request: HttpRequest, code: str) -> HttpResponse:
    """Record that the host looks at everything, then show it as it stood at that moment."""
    viewer = viewer_of(request, code)
    viewer.asking(HOST.value)
    if feed.is_watched(viewer.story, HOST.value):
        services.look(match_id=viewer.match.id, by=request.user.id)
    return redirect(f"{reverse('web:match-replay', args=[viewer.match.code])}?as={HOST.value}")


def _context(viewer: Viewer, witness: Witness, version: int, newest: int) -> dict[str, Any]:
    match = viewer.match
    names = short_names_of(match)
    match_state = feed.visible_state(match.id, witness, version)
    before = feed.visible_state(match.id, witness, version - 1) if version > 1 else None
    events = record.told(match.id, witness, 0, newest)
    past = events[:version]
    event = past[-1]
    return {
        "match": match,
        "title": match_state.game.title,
        "status": viewer.story.status,
        "seat": witness if isinstance(witness, int) else None,
        "version": version,
        "newest": newest,
        "goes_on": not viewer.story.over,
        "asked": feed.witness_name(witness),
        "viewpoints": viewpoints(viewer, witness, names),
        "event": event,
        "event_json": json.dumps(event, indent=2, ensure_ascii=False, sort_keys=True),
        "line": next(iter(record.lines(match_state.game, [event], names)), None),
        "previous_hash": past[-2]["hash"] if version > 1 else None,
        "hidden": [name for name in event["secret"] if event.get(name) is None],
        "changes": differences(to_json(before.state), to_json(match_state.state)) if before else [],
        "ticks": ticks(match_state.game, events),
        "stops": stops(match_state.game, events, version),
        "act_ends": act_ends(match_state.game, events, version),
        "lines": list(reversed(record.lines(match_state.game, past[-record.LINES :], names))),
        "remarks": talking.remarks_for(viewer, upto=version),
        "head_hash": events[-1]["hash"],
        "chain": chain_of(match.id, viewer.witness, events[-1]["hash"]),
        **pictured(match_state, witness, names, last=last_cells(match_state.game.slug, [event])),
    }


def viewpoints(viewer: Viewer, witness: Witness, names: list[str]) -> list[Viewpoint]:
    """The witnesses that the reader may be: all of them once the match is over."""
    asked: dict[str, str] = {"host": "Everything"}
    asked |= {f"seat:{seat}": name for seat, name in enumerate(names)} | {"spectator": "Public"}
    own = feed.witness_name(viewer.witness)
    open_to = set(asked) if viewer.story.over else {own, SPECTATOR.value}
    if viewer.may_look:
        open_to.add(HOST.value)
    now = feed.witness_name(witness)
    return [
        Viewpoint(name, label, name == now, feed.is_watched(viewer.story, name))
        for name, label in asked.items()
        if name in open_to
    ]


def ticks(game: Any, events: list[dict[str, Any]]) -> list[dict[str, str]]:
    """One path a colour: the scrubber's ticks, an event each, rulings taller. Units: one event is 10 wide."""
    paths: dict[str, list[str]] = {}
    for place, event in enumerate(events):
        seat, kind = event.get("seat"), record.kind_of(game, event)
        colour = "ruling" if kind == "ruling" else f"s{seat}" if isinstance(seat, int) else "house"
        top, foot = (0, 14) if kind == "ruling" else (4, 10)
        paths.setdefault(colour, []).append(f"M{place * 10 + 5} {top}V{foot}")
    return [{"colour": colour, "path": "".join(parts)} for colour, parts in sorted(paths.items())]


def stops(game: Any, events: list[dict[str, Any]], version: int) -> dict[str, int | None]:
    """Where the keys lead from a version: a step, another actor's turn, the next ruling; None where there is none."""
    turn = _actor(events[version - 1])
    later, earlier = events[version:], list(reversed(events[: version - 1]))
    return {
        "first": 1 if version > 1 else None,
        "back": version - 1 if version > 1 else None,
        "on": version + 1 if later else None,
        "last": len(events) if later else None,
        "previous_turn": next((e["version"] for e in earlier if _actor(e) not in (turn, None)), None),
        "next_turn": next((e["version"] for e in later if _actor(e) not in (turn, None)), None),
        "ruling": next((e["version"] for e in later if record.kind_of(game, e) == "ruling"), None),
    }


def act_ends(game: Any, events: list[dict[str, Any]], version: int) -> int | None:
    """The version of the last move that came of the same act as this one; None where it is the last itself."""
    event, ends = events[version - 1], version
    for later in events[version:]:
        if (later["actor"], later["at"]) != (event["actor"], event["at"]) or record.kind_of(game, later) != "move":
            break
        ends = later["version"]
    return ends if ends > version else None


def _actor(event: dict[str, Any]) -> int | None:
    seat = event.get("seat")
    return seat if isinstance(seat, int) else None
