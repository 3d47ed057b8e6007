"""The control room: a match for its host, seen as a spectator sees it unless a look at more is on record."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from events import store
from games.drawing.themes import SEAT_LETTERS
from games.kernel import HOST, SPECTATOR
from matches.domain import host_acts
from matches.domain.events import BOT
from matches.html.context import live, parts
from matches.html.entry import posted_from
from matches.html.form_values import fresh_key, press_of
from matches.html.record import Line
from matches.html.seats import names_of
from matches.http import notes
from matches.http.problems import problem_of
from matches.panel.control import host_table, sharing
from matches.panel.control.acts import ACTS, HostDialog, offered
from matches.panel.control.forms import ActForm
from matches.panel.control.permitted_view import PermittedView, permitted_view
from matches.panel.entry import ControlRoom, for_hosts
from matches.publishing import presence
from matches.reads import entitlements, feed
from matches.reads.sentences import short_names_of
from matches.seasons.domain.claims import CLAIMS
from matches.seasons.reads import disputes
from matches.services import hosting, playing
from matches.services.carrying_out import HostRequest, carry_out
from matches.storage.repository import BrokenRecord

_OVER = ("finished", "void")
_MOVED = "Somebody acted meanwhile; look again."


@require_safe
@for_hosts
def room(request: HttpRequest, room: ControlRoom) -> HttpResponse:
    """Show the whole room. Opening it changes nothing."""
    shown_as = permitted_view(room, request.GET.get("as"))
    if shown_as is None:
        messages.warning(request, "The truth of a match under way opens with a look that stands in the record.")
        return redirect("admin:control", code=room.match.code)
    return page(request, room, shown_as)


@require_safe
@for_hosts
def live_part(request: HttpRequest, room: ControlRoom) -> HttpResponse:
    """Return what changes in the room; 204 if the version in `after` is the newest visible one."""
    shown_as = permitted_view(room, request.GET.get("as"))
    if shown_as is None:
        raise Http404("Look at the truth first.")
    version = shown_as.version or feed.visible_state(room.match.id, shown_as.witness).version
    if request.GET.get("after") == str(version) and request.GET.get("status") == room.match.status:
        return HttpResponse(status=204)
    return render(request, "panel/live.html", seen(room, shown_as))


@require_safe
@for_hosts
def presence_part(request: HttpRequest, room: ControlRoom) -> HttpResponse:
    """Show who is connected now: each person who holds a seat, and how many watch."""
    here = presence.present_at(room.match.id)
    context = {
        "people": [
            (name, seat in here.seats)
            for seat, name in enumerate(names_of(room.match))
            if room.lifecycle.players[seat] not in (None, BOT)
        ],
        "watchers": here.watchers,
    }
    return render(request, "panel/presence.html", context)


@posted_from("admin:control", "code")
@for_hosts
def look(request: HttpRequest, room: ControlRoom) -> HttpResponse:
    """Record that the host looks at everything, then show it as of that moment."""
    if room.seat is not None and not room.lifecycle.is_open:
        messages.error(request, "You hold a seat at this match, so you see no more than it does.")
        return redirect("admin:control", code=room.match.code)
    if not room.lifecycle.started:
        messages.error(request, "The match hasn't started, so there is nothing to look at yet.")
        return redirect("admin:control", code=room.match.code)
    hosting.view_truth(match_id=room.match.id, by=room.host.id)
    page = "admin:control_judge" if request.POST.get("back") == "judge" else "admin:control"
    return redirect(f"{reverse(page, args=[room.match.code])}?as={HOST.value}")


@posted_from("admin:control", "code")
@for_hosts
def act(request: HttpRequest, room: ControlRoom, name: str) -> HttpResponse:
    """Carry an act out; a refusal is shown in the dialog, with what was typed."""
    chosen = ACTS.get(name)
    if chosen is None:
        raise Http404(f"There is no act {name}.")
    form = chosen.form(request.POST, room=room, auto_id=f"{name}-%s")
    if not form.is_valid():
        return page(request, room, permitted_view(room, None), form, chosen, 422)
    key = press_of(request) if chosen.act.repeats else None
    try:
        carry_out(form.to_act(), HostRequest(room.match.id, room.host.id, key, form.cleaned_data.get("expected")))
    except Exception as refusal:
        status = add_refusal(form, refusal)
        if isinstance(refusal, playing.VersionMoved):
            form.add_error(None, _MOVED)
        return page(request, room, permitted_view(room, None), form, chosen, status)
    messages.success(request, f"{chosen.title}: done, and in the record.")
    return redirect("admin:control", code=room.match.code)


def add_refusal(form: forms.Form, refusal: Exception) -> int:
    """Add a refusal's detail to the form; return the status. Raise an unexpected exception."""
    problem = problem_of(refusal)
    if problem is None or problem.status >= 500:
        raise refusal
    form.add_error(None, problem.detail)
    return problem.status


def page(
    request: HttpRequest,
    room: ControlRoom,
    shown_as: PermittedView | None,
    form: ActForm | None = None,
    refused: HostDialog | None = None,
    status: int = 200,
) -> HttpResponse:
    """Show the room, with the dialog of a refused act open."""
    shown = shown_as or PermittedView(SPECTATOR, None, False)
    dialogs = [
        (it, form if it is refused else it.form(room=room, auto_id=f"{name}-%s"), it is refused)
        for name, it in ACTS.items()
        if it is refused or it in offered(room)
    ]
    context = {
        **admin.site.each_context(request),
        **seen(room, shown),
        "title": f"{room.match.code} · control room",
        "dialogs": dialogs,
        "expected": host_acts.seats_and_status(room.lifecycle),
        "key": fresh_key(),
        "may_rewind": room.lifecycle.started and not room.lifecycle.over and room.may("rewind"),
        "may_reopen": room.match.season_id is not None and room.lifecycle.outcome is not None and room.may("rewind"),
        "now": int(store.clock().timestamp() * 1000),
        "share": sharing.text_of(request, room.match),
        "note": notes.note_of(room.match.id, room.host) if notes.are_kept(room.match.id, room.seat) else None,
    }
    context["known"] = notes.mark(context["note"] or "")
    return render(request, "panel/control.html", context, status=status)


def _rewindable(room: ControlRoom, lines: Sequence[Line]) -> Sequence[int]:
    """Return the versions among these lines, newest first, to which the match may be rewound."""
    if not lines or not room.lifecycle.started or room.lifecycle.over or not room.may("rewind"):
        return ()
    return hosting.rewindable(room.match.id, after=lines[-1].version - 1)


def _claims(room: ControlRoom) -> list[tuple[disputes.ClaimDocument, str]]:
    """Return the season's claims about the match, the newest first, each with its kind in words."""
    if room.match.season_id is None:
        return []
    try:
        claims, _ = disputes.of_match(room.match.season_id, room.match.id, store.clock())
    except BrokenRecord:
        # The room shows the match; the season's own pages report its broken record.
        return []
    return [(it, CLAIMS[it.kind]) for it in reversed(claims)]


def seen(room: ControlRoom, shown_as: PermittedView) -> dict[str, Any]:
    """Return the context of `live.html`, the same as on the match page."""
    context, sealed = live(room.match, shown_as.witness, shown_as.version), entitlements.is_sealed(room.match.id)
    if context["own"]:
        # The players' page shows this game without the board's picture.
        match_state = feed.visible_state(room.match.id, shown_as.witness, shown_as.version)
        context["parts"] = parts(match_state, shown_as.witness, short_names_of(room.match))
    eyes = [("spectator", "Public")]
    if room.lifecycle.is_open:
        eyes += [(f"seat:{seat}", name) for seat, name in enumerate(names_of(room.match))] + [("host", "Everything")]
    elif room.seat is not None:
        eyes.append((f"seat:{room.seat}", f"Your seat ({SEAT_LETTERS[room.seat]})"))
    return {
        **context,
        "contest": host_table.table_of(room, feed.visible_state(room.match.id, SPECTATOR)),
        "game_title": context["title"],
        "asked": entitlements.witness_name(shown_as.witness),
        "eyes": eyes,
        "fixed": shown_as.version,
        "host_seat": None if room.seat is None else SEAT_LETTERS[room.seat],
        "plays": room.plays,
        "may_look": room.seat is None
        and room.may("look")
        and room.lifecycle.started
        and not (room.lifecycle.is_open or sealed),
        "sealed": sealed,
        "row_status": room.match.status,
        "acts": " ".join(it.name for it in offered(room)),
        "rewindable": _rewindable(room, context["lines"]),
        "delay": 0 if context["status"] in _OVER else room.lifecycle.opened.spectator_delay,
        "over": room.lifecycle.over,
        "appeals": [(it, SEAT_LETTERS[it.seat]) for it in reversed(room.lifecycle.appeals)],
        "claims": _claims(room),
        "stand_ins": [SEAT_LETTERS[seat] for seat, _ in room.lifecycle.stand_ins],
    }
