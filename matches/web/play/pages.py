"""The match page: reading, moving, and the context of both."""

import re
from functools import cache
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.views.decorators.http import require_POST, require_safe

from events import store
from games import catalogue
from games.kernel import Illegal, Witness
from matches.domain.events import BOT
from matches.html import form_values
from matches.html.context import in_words, live, tray_for
from matches.html.entry import counted, posted_from, signed_in
from matches.html.trays.filling import Refused
from matches.http import commands, metrics, notes
from matches.http.problems import Problem, problem_of, refusal, wants_document
from matches.models import Match
from matches.reads import feed, selectors
from matches.reads.sentences import short_names_of
from matches.services import playing
from matches.storage import repository
from matches.web.play import afterwards, noting, talking
from matches.web.play.appeal_form import KINDS
from matches.web.play.disputing import disputed
from matches.web.play.viewers import Viewer, viewer_of

_INDENT = re.compile(r">\s*\n\s*<")


@require_safe
@counted
def page(request: HttpRequest, code: str) -> HttpResponse:
    """Show the whole page, which works without scripts."""
    viewer = viewer_of(request, code)
    # Without a script the talk is opened by its link.
    return render(request, "web/match/page.html", context_of(viewer) | {"talk_open": "talk" in request.GET})


@require_safe
@counted
def frame(request: HttpRequest, code: str) -> HttpResponse:
    """Return what changes in the page, as JSON; 204 if the version in `after`, with its `hash`, is the newest.

    If the page shows what the record no longer holds, the response has `resync` beside the frame.
    """
    viewer = viewer_of(request, code)
    shown = form_values.version_in(request.GET.get("after", ""))
    if shown is None:
        return JsonResponse(framed(viewer.match, viewer.witness))
    newest = feed.visible_state(viewer.match.id, viewer.witness)
    hash = request.GET.get("hash", "")
    is_held = shown <= newest.version and (not hash or feed.holds(viewer.match.id, shown, hash))
    if is_held and shown == newest.version:
        return HttpResponse(status=204)
    resync = {} if is_held else {"resync": {"version": newest.version, "told": shown}}
    return JsonResponse(framed(viewer.match, viewer.witness) | resync)


@require_safe
@signed_in
@counted
def sent(request: HttpRequest, code: str) -> HttpResponse:
    """Return whether a command that was sent under the key is in the record, as JSON: `happened`."""
    viewer = viewer_of(request, code)
    key = form_values.key_in(request.GET)
    answer = playing.stored_answer(match_id=viewer.match.id, player=str(request.user.pk), key=key)
    return JsonResponse({"happened": answer is not None})


@require_safe
@counted
def words(request: HttpRequest, code: str) -> HttpResponse:
    """Return the board as text, for a page that shows it."""
    viewer = viewer_of(request, code)
    match_state = feed.visible_state(viewer.match.id, viewer.witness)
    return render(request, "web/match/words.html", in_words(match_state, viewer.witness, short_names_of(viewer.match)))


@posted_from("web:match", "code")
@signed_in
@counted
def command(request: HttpRequest, code: str) -> HttpResponse:
    """Submit a seat's command. A script gets the new frame or a problem; a form redirects to the page. While the dealer
    is due, the response waits up to two seconds for it."""
    viewer = viewer_of(request, code)
    try:
        body = form_values.command_in(request, viewer.match.game)
        form_values.submit(request, viewer.match.id, _seat(viewer), body)
    except Illegal as illegal:
        metrics.refused(viewer.match.game, illegal.code)
        commands.mark_for_retry(request, str(viewer.match.id), illegal.code)
        return refused(request, viewer, illegal) if "text" in body else _refused_form(request, viewer, illegal)
    except (playing.VersionMoved, playing.KeyReused, playing.NotAllowed, Problem) as error:
        return refused(request, viewer, error)
    metrics.accepted(viewer.match.game)
    if not wants_document(request):
        return redirect("web:match", code=viewer.match.code)
    return JsonResponse(framed(viewer.match, viewer.witness), status=201)


@require_POST
@signed_in
@counted
def trial(request: HttpRequest, code: str) -> HttpResponse:
    """Check whether a command would be accepted: 204, or the problem."""
    viewer = viewer_of(request, code)
    form_values.try_out(request, viewer.match.id, _seat(viewer))
    return HttpResponse(status=204)


def rendered(match_id: UUID, witness: Witness, version: int) -> str:
    """Return the frame of a match at a version, the same for every page of one witness."""
    match = selectors.match_by(str(match_id))
    if match is None:
        raise repository.NoSuchMatch(str(match_id))
    # A plain string: a socket's frame is encoded by its exact type.
    context = live(match, witness, version, whole=False)
    return _live(context).encode().decode()


def framed(match: Match, witness: Witness) -> dict[str, Any]:
    """Return the newest frame, in the form in which sockets send it."""
    context = live(match, witness, whole=False)
    return {"v": 1, "version": context["version"], "content": _live(context)}


def without_indents(markup: str) -> str:
    """Return markup without the indents of its template: a fifth shorter."""
    return _INDENT.sub(">\n<", markup)


def _live(context: dict[str, Any]) -> str:
    return without_indents(render_to_string("web/match/live.html", context))


def context_of(viewer: Viewer, refused_form: Refused | None = None) -> dict[str, Any]:
    """Return the context of `page.html` for a viewer."""
    shown, names = live(viewer.match, viewer.witness, refused=refused_form), short_names_of(viewer.match)
    status_line = shown["scene"].sentence if shown["scene"] else shown["turn_bar"]
    note = noting.note_of(viewer)
    is_running = shown["status"] == "running"
    delay = viewer.lifecycle.opened.spectator_delay if viewer.seat is None and not viewer.lifecycle.over else 0
    return {
        **shown,
        "description": feed.headline(viewer.match, viewer.witness, names) if is_running else status_line,
        "afterwards": afterwards.of(viewer) if shown["scene"] else None,
        "hosts": viewer.hosts,
        "delay": delay,
        "key": form_values.fresh_key(),
        "season_title": viewer.season_title,
        "styles": styles_of(viewer.match.game),
        # A delayed viewer sees the clocks as of then.
        "now": int((store.clock().timestamp() - delay) * 1000),
        "note": note,
        "keeps_notes": viewer.account is not None and noting.keeps_notes(viewer),
        "note_mark": notes.mark(note),
        **talking.context_of(viewer),
        "teaches": _teaches(viewer),
        "appeal_kinds": KINDS if viewer.seat is not None else (),
        "disputed": disputed(viewer),
    }


def _teaches(viewer: Viewer) -> bool:
    """True if the page links to the game's lesson: for a player against a bot."""
    plays_a_bot = viewer.seat is not None and BOT in viewer.lifecycle.players
    return plays_a_bot and catalogue[viewer.match.game].lesson is not None


@cache
def styles_of(game: str) -> str:
    """Return the stylesheet of a game's own parts, as `static` knows it; empty for a game without one."""
    name = f"web/match/games/{game}.css"
    return name if finders.find(name) else ""


def _seat(viewer: Viewer) -> int:
    if viewer.seat is None:
        raise Problem("forbidden", "You hold no seat at this match.")
    return viewer.seat


def _refused_form(request: HttpRequest, viewer: Viewer, illegal: Illegal) -> HttpResponse:
    """Report a refused form at its fields: to a script as the problem's `faults`, or on the page with what was filled
    in."""
    form = Refused(dict(request.POST.lists()), illegal.message)
    match_state = feed.visible_state(viewer.match.id, viewer.witness)
    tray = tray_for(match_state, viewer.witness, short_names_of(viewer.match), form)
    if tray is None or tray.form is None:
        return refused(request, viewer, illegal)
    if wants_document(request):
        raise refusal(illegal, faults=tray.form.faults)
    context = context_of(viewer, form) | {"talk_open": False}
    return render(request, "web/match/page.html", context, status=refusal(illegal).status)


def refused(request: HttpRequest, viewer: Viewer, error: Exception) -> HttpResponse:
    """Report a refusal to a script, or on the page of the form."""
    if wants_document(request):
        raise error
    problem = problem_of(error)
    messages.error(request, problem.detail if problem else str(error))
    return redirect("web:match", code=viewer.match.code)
