"""Views that preview an act on a season as the events that it would append, and carry it out only as previewed."""

from typing import Any, get_args

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from matches.html.entry import posted_from
from matches.http.problems import problem_of
from matches.panel.control.control_views import add_refusal
from matches.panel.seasons import availability
from matches.panel.seasons.acts import ACTS, SeasonAct
from matches.panel.seasons.forms import SeasonForm
from matches.panel.seasons.room import SeasonRoom, for_season_staff
from matches.panel.seasons.views import Dialog, dialog_of, page
from matches.seasons import contents, process_manager, services
from matches.seasons.contents import Shelf

_UNSEEN = "Nothing was done, as the preview hadn't been shown yet. Read the preview and press the button again."
_LONGEST_SEARCH = 60
_MOVED = "Somebody acted meanwhile. Read the new preview and press the button again."


@require_POST
@for_season_staff
def foresee(request: HttpRequest, room: SeasonRoom, name: str) -> HttpResponse:
    """Show the events that the act would append, or the decider's refusal. Nothing is stored."""
    act = _act(name)
    form = dialog_of(room, act, request.POST)
    context: dict[str, Any] = {"act": act}
    is_valid = form.is_valid()
    context["notes"] = form.notes()
    context["contest"] = form.contest_shown()
    context["times"] = availability.worded_times(room, form.concerned(), form.named_times())
    if not is_valid:
        context |= _faults(form)
        return render(request, "panel/foretold.html", context)
    try:
        context["told"] = services.preview(
            season_id=room.row.id, by=room.account, decide=form.decide(), called=form.called()
        )
    except Exception as refusal:
        problem = problem_of(refusal)
        if problem is None or problem.status >= 500:
            raise
        context["refused"] = problem.detail
    return render(request, "panel/foretold.html", context)


@require_safe
@for_season_staff
def contest_choices(request: HttpRequest, room: SeasonRoom) -> HttpResponse:
    """Return the contests that can be set as a main match, with a text in title or author; with `shelf` its page from
    `start`."""
    text = request.GET.get("find", "").replace("\0", "").strip()[:_LONGEST_SEARCH]
    shelf, start = request.GET.get("shelf"), request.GET.get("start", "")
    offered = contents.offered_contests(room.account, text)
    groups = contents.with_chosen(offered, room.contest, room.account)
    if shelf in get_args(Shelf) and start.isascii() and start.isdigit() and len(start) < 6:
        groups = [contents.shelved(room.account, shelf, text, int(start))]
    context = {
        "groups": groups,
        "is_empty": not offered,
        "is_more": bool(shelf),
        "find": text,
        "contest": room.contest,
        "search": request.path,
    }
    return render(request, "panel/contest_choices.html", context)


@posted_from("admin:season", "season_id")
@for_season_staff
def act(request: HttpRequest, room: SeasonRoom, name: str) -> HttpResponse:
    """Carry out an act. A refused form is shown again in its dialog as it was filled in, with the reason."""
    dialog_act = _act(name)
    form = dialog_of(room, dialog_act, request.POST)
    if form.is_valid() and form.cleaned_data["expected"] is None:
        form.add_error(None, _UNSEEN)
    if not form.is_valid():
        return page(request, room, Dialog(dialog_act, form, True), 422)
    try:
        accepted = services.act(
            season_id=room.row.id,
            by=room.account,
            decide=form.decide(),
            key=form.cleaned_data["key"],
            fingerprint=services.fingerprint_of(request.path, _printed(form)),
            expected=form.cleaned_data["expected"],
            beside=form.beside,
            called=form.called(),
        )
    except Exception as refusal:
        status = add_refusal(form, refusal)
        if isinstance(refusal, services.SeasonMoved):
            form.add_error(None, _MOVED)
        return page(request, room, Dialog(dialog_act, form, True), status)
    if dialog_act.settles:
        process_manager.settle_soon(room.row.id)
    messages.success(request, f"{dialog_act.title}: done, and in the record as version {accepted.version}.")
    return redirect("admin:season", season_id=room.row.id)


def _act(name: str) -> SeasonAct:
    if name not in ACTS:
        raise Http404(f"There is no act {name}.")
    return ACTS[name]


def _printed(form: SeasonForm) -> dict[str, str]:
    """Return what is filled in as text, the fingerprint of the act: the act itself has neither the names and labels
    that are written beside it, nor the options that it has changed already."""
    return {name: repr(it) for name, it in form.values().items()}


def _faults(form: SeasonForm) -> dict[str, Any]:
    """Return the labels of empty fields, and the faults of the others."""
    labelled = [(form[name].label, fault) for name, faults in form.errors.as_data().items() for fault in faults]
    empty = [label for label, fault in labelled if fault.code == "required"]
    return {
        "empty": empty,
        "faults": [(label, fault.messages[0]) for label, fault in labelled if fault.code != "required"],
    }
