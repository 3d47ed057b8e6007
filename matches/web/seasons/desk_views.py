"""A player's desk in a season: their decisions, their match with board and clocks, gifts of garnets."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe
from msgspec.structs import asdict

from events import store
from matches.html.entry import posted_from
from matches.html.form_values import expected_in, fresh_key, key_in
from matches.http.problems import problem_of, wants_document
from matches.seasons import process_manager, repository, services
from matches.seasons.domain.acts import ACTS, offer
from matches.seasons.domain.claim_acts import WithdrawClaim
from matches.seasons.domain.episode_acts import CHOSEN, DECISIONS, decision
from matches.seasons.reads import feed
from matches.seasons.reads.availability import said_by
from matches.seasons.reads.event_documents import calling
from matches.seasons.reads.headline import headline
from matches.seasons.reads.timetable import deadline_of
from matches.web.play.pages import context_of
from matches.web.play.viewers import viewer_of
from matches.web.seasons.appointments import appointments_of
from matches.web.seasons.claiming import shown_claims, withdrawable
from matches.web.seasons.decisions import decisions, match_of
from matches.web.seasons.desk import Desk, for_players
from matches.web.seasons.desk_forms import ActForm, DeskForms, is_for_players
from matches.web.seasons.foreseeing import foreseer
from matches.web.seasons.scenes import Scene, scene_of

_RULINGS = 5
_PLAYED = ("running", "paused")
_OVER = ("finished", "void")


@require_safe
@for_players
def desk(request: HttpRequest, desk: Desk) -> HttpResponse:
    return _page(request, desk)


def _page(request: HttpRequest, desk: Desk, refused: ActForm | None = None, status: int = 200) -> HttpResponse:
    """Render the desk, with the form of a refused act as it was filled in."""
    match = match_of(desk.state, desk.player)
    playing = match is not None and match.status in _PLAYED
    if playing and "HX-Request" in request.headers:
        # The desk with a running match has another layout, of which no part fits into the page that asks.
        return HttpResponse(headers={"HX-Redirect": request.path})
    names = feed.names_in(desk.state)
    forms = DeskForms(desk, calling(names), refused)
    foresee = foreseer(desk.row.id, desk.state, desk.account)
    context = {
        **(context_of(viewer_of(request, match.code)) if match and playing else {}),
        "layout": "web/match/page.html" if playing else "web/base.html",
        "playing": playing,
        "next_match": None if playing else match,
        "is_over": match is not None and match.status in _OVER,
        "season": desk.row,
        "me": desk.state.players[desk.player],
        "tokens": desk.state.episode.tokens.get(desk.player, 0) if desk.state.episode else 0,
        "part": _part(desk),
        "decisions": decisions(desk.state, desk.by, names),
        "headline": headline(desk.state, calling(names)),
        "rulings": list(reversed(feed.rulings(desk.row.id).results))[:_RULINGS],
        "decision_key": fresh_key(),
        "forms": forms.listed(),
        "appointments": appointments_of(
            desk.state, desk.player, names, store.clock(), said_by(desk.row.id, desk.account.id), foresee, forms
        ),
        **deadline_of(desk.state, desk.player),
        "claims": withdrawable(shown_claims(desk.row.id), offer(desk.state, desk.by, WithdrawClaim.name), foresee),
    }
    return render(request, "web/season_desk.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
def act(request: HttpRequest, season_id: UUID, name: str) -> HttpResponse:
    """Carry out an act, or show the scene of a decision. A refused form is shown again as it was filled in, with the
    reason."""
    if request.method == "POST" or name not in DECISIONS:
        return _act(request, season_id=season_id, name=name)
    return _show_scene(request, season_id, name=name)


@for_players
def _show_scene(request: HttpRequest, desk: Desk, name: str) -> HttpResponse:
    """Show a decision's scene, or the desk if it isn't the player's in this episode."""
    scene = scene_of(desk, name)
    moved_on = scene is None or request.GET.get("stage", scene.stage) != scene.stage
    if moved_on and "HX-Request" in request.headers:
        return HttpResponse(headers={"HX-Redirect": request.path})
    if scene is None:
        return redirect("web:season_desk", season_id=desk.row.id)
    return _scene_page(request, desk, scene)


def _scene_page(request: HttpRequest, desk: Desk, scene: Scene, status: int = 200) -> HttpResponse:
    following = [it for it in decisions(desk.state, desk.by, {}) if it.act != scene.act]
    context = {**_confirming(desk, scene), "season": desk.row, "following": following, "decision_key": fresh_key()}
    return render(request, "web/decision.html", context, status=status)


def _confirming(desk: Desk, scene: Scene) -> dict[str, Any]:
    """Return the context of `decision_confirm.html`: the consequences of the choice."""
    if scene.chosen is None:
        return {"scene": scene}
    foresee = foreseer(desk.row.id, desk.state, desk.account)
    return {"scene": scene, **foresee(decision(scene.act, scene.chosen.value))}


@posted_from("web:season_desk", "season_id")
@for_players
def _act(request: HttpRequest, desk: Desk, name: str) -> HttpResponse:
    form = _form_in(request, desk, name)
    try:
        wanted = form.to_act()
        services.act(
            season_id=desk.row.id,
            by=desk.account,
            decide=wanted.decide,
            key=key_in(request.POST),
            fingerprint=services.fingerprint_of(request.path, asdict(wanted)),
            expected=expected_in(request),
        )
    except Exception as refusal:
        problem = problem_of(refusal)
        if problem is None or problem.status >= 500 or wants_document(request):
            raise
        desk = form.desk = Desk(desk.row, repository.load(desk.row.id), desk.account)
        messages.error(request, f"{problem.detail} {_next_step(desk, name, refusal)}")
        scene = scene_of(desk, name, _picked(request, name)) if name in DECISIONS else None
        if scene is not None:
            return _scene_page(request, desk, scene, problem.status)
        form.foreseen = form.foresee()
        return _page(request, desk, form, problem.status)
    if ACTS[name].settles:
        process_manager.settle_soon(desk.row.id)
    if name in DECISIONS:
        return redirect("web:season_decide", season_id=desk.row.id, name=name)
    messages.success(request, _("Done, and in the season's record."))
    return redirect("web:season_desk", season_id=desk.row.id)


@posted_from("web:season_decide", "season_id", "name")
@for_players
def foresee(request: HttpRequest, desk: Desk, name: str) -> HttpResponse:
    """Show the effects of an act, or why it would be refused: as a part of the page for scripts, else as a scene."""
    form = _form_in(request, desk, name)
    scene = scene_of(desk, name, _picked(request, name)) if name in DECISIONS else None
    if scene is None or scene.chosen is None:
        return render(request, "web/season_foretold.html", form.foresee())
    if "HX-Request" in request.headers:
        return render(request, "web/decision_confirm.html", _confirming(desk, scene))
    return _scene_page(request, desk, scene)


def _next_step(desk: Desk, name: str, refusal: Exception) -> str:
    """Return the player's next step after a refusal."""
    if not offer(desk.state, desk.by, name).is_available:
        return _("Nothing was done.")
    if isinstance(refusal, services.SeasonMoved):
        return _("Somebody acted meanwhile. Read what will happen now and press again.")
    return _("Nothing was done; change the form and send it again.")


def _form_in(request: HttpRequest, desk: Desk, name: str) -> ActForm:
    """Return the form of an act for players as it was sent; raise Http404 for another name."""
    act = ACTS.get(name)
    if act is None or not is_for_players(act):
        raise Http404(_("There is no act %(name)s.") % {"name": name})
    return ActForm(act, desk, request.POST)


def _picked(request: HttpRequest, name: str) -> str:
    return next(iter(request.POST.getlist(CHOSEN[name])), "")


def _part(desk: Desk) -> str:
    """Return the player's part in the open episode in a sentence; empty if they have none."""
    episode = desk.state.episode
    if episode is None:
        return ""
    if desk.player == episode.candidate:
        return _("You are the elimination candidate (EC).")
    if desk.player == episode.opponent:
        return _("You are the death match opponent (DMO).")
    if desk.player not in episode.winners:
        return ""
    won = episode.who_acted("won", desk.player) == desk.player
    return _("You won the main match.") if won else _("You go on for a winner of the main match.")
