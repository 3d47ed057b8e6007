"""The acts on a season: previewed as the events that they would append, and carried out as previewed or not at all."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from games.kernel import Event
from matches.html.entry import posted_from
from matches.http.problems import problem_of
from matches.panel.control.control_views import add_refusal
from matches.panel.seasons import availability
from matches.panel.seasons.acts import ACTS, SeasonAct
from matches.panel.seasons.forms import SeasonForm
from matches.panel.seasons.room import SeasonRoom, for_season_staff
from matches.panel.seasons.views import Dialog, dialog_of, page
from matches.seasons import process_manager, services
from matches.seasons.domain.acts import ACTS as DECIDED
from matches.seasons.domain.deciding import Caller
from matches.seasons.domain.state import Season

_UNSEEN = "Nothing was done: its preview hadn't been shown yet. Look at it and press again."
_MOVED = "Somebody acted meanwhile. Look at the preview and press again."


@require_POST
@for_season_staff
def foresee(request: HttpRequest, room: SeasonRoom, name: str) -> HttpResponse:
    """Show what the act would append, or the decider's refusal. Nothing is stored."""
    act = _act(name)
    form = dialog_of(room, act, request.POST)
    context: dict[str, Any] = {"act": act}
    is_valid = form.is_valid()
    context["notes"] = form.notes()
    context["times"] = availability.told(room, form.concerned(), form.times_asked())
    if not is_valid:
        context |= _faults(form)
        return render(request, "panel/foretold.html", context)
    try:
        decide = form.decides(_decide(act, form.values()))
        context["told"] = services.preview(season_id=room.row.id, by=room.account, decide=decide, called=form.called())
    except Exception as refusal:
        problem = problem_of(refusal)
        if problem is None or problem.status >= 500:
            raise
        context["refused"] = problem.detail
    return render(request, "panel/foretold.html", context)


@posted_from("admin:season", "season_id")
@for_season_staff
def act(request: HttpRequest, room: SeasonRoom, name: str) -> HttpResponse:
    """Do an act; a refusal comes back in the dialog, with the form as it was typed."""
    asked = _act(name)
    form = dialog_of(room, asked, request.POST)
    if form.is_valid() and form.cleaned_data["expected"] is None:
        form.add_error(None, _UNSEEN)
    if not form.is_valid():
        return page(request, room, Dialog(asked, form, True), 422)
    values = form.values()
    try:
        accepted = services.act(
            season_id=room.row.id,
            by=room.account,
            decide=form.decides(_decide(asked, values)),
            key=form.cleaned_data["key"],
            fingerprint=services.fingerprint_of(request.path, _printed(values)),
            expected=form.cleaned_data["expected"],
            beside=form.beside,
            called=form.called(),
        )
    except Exception as refusal:
        status = add_refusal(form, refusal)
        if isinstance(refusal, services.SeasonMoved):
            form.add_error(None, _MOVED)
        return page(request, room, Dialog(asked, form, True), status)
    if DECIDED[name].settles:
        process_manager.settle_soon(room.row.id)
    messages.success(request, f"{asked.title}: done, and in the record as version {accepted.version}.")
    return redirect("admin:season", season_id=room.row.id)


def _act(name: str) -> SeasonAct:
    if name not in ACTS:
        raise Http404(f"There is no act {name}.")
    return ACTS[name]


def _decide(act: SeasonAct, values: dict[str, Any]) -> services.Decide:
    def decide(season: Season, by: Caller) -> list[Event]:
        return list(DECIDED[act.name].decide(season, by, values))

    return decide


def _printed(values: dict[str, Any]) -> dict[str, str]:
    """Return the values as text, the fingerprint of the act."""
    return {name: repr(it) for name, it in values.items()}


def _faults(form: SeasonForm) -> dict[str, Any]:
    """Return the labels of empty fields, and the faults of the others."""
    told = [(form[name].label, fault) for name, faults in form.errors.as_data().items() for fault in faults]
    empty = [label for label, fault in told if fault.code == "required"]
    return {"empty": empty, "faults": [(label, fault.messages[0]) for label, fault in told if fault.code != "required"]}
