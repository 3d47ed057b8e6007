"""Acts of a contest's host from the control room: reminders, time, the end of a round, judgements, amendments.

Their commands are sent as over REST, by `matches.http.commands`.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple

from django import forms
from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from events.records import Point
from games.contest.amending import current_content, differences
from games.kernel import SPECTATOR, Illegal, to_json
from matches.domain import impartiality
from matches.domain.declared_host_acts import Extend
from matches.domain.match_state import MatchState
from matches.html.entry import posted_from
from matches.html.form_values import expected_in, fresh_key, press_of
from matches.html.name_lists import joined_by_and
from matches.html.seats import SeatStrip, strips
from matches.html.text_fields import text_of
from matches.http import commands, notes
from matches.http.problems import Problem
from matches.notifications import reminders
from matches.panel.control import host_table
from matches.panel.control.contest_forms import AmendmentForm, JudgementForm, TimeForm, mark_of, rounds_as_text
from matches.panel.control.control_views import add_refusal
from matches.panel.control.host_table import HostTable
from matches.panel.control.permitted_view import permitted_view
from matches.panel.entry import ControlRoom, for_hosts
from matches.reads import feed
from matches.services import playing
from matches.services.carrying_out import HostRequest, carry_out
from matches.storage import repository


class JudgedRow(NamedTuple):
    """A player to judge: the submission in words, None if it is unknown, the field for the points, and the points and
    balances before, as spectators know them."""

    strip: SeatStrip
    values: list[tuple[str, str]] | None
    field: forms.BoundField
    points: int | None
    balances: list[tuple[str, int]]


ContestView = Callable[[HttpRequest, ControlRoom, MatchState, HostTable], HttpResponse]


def for_contests(view: ContestView) -> Callable[..., HttpResponse]:
    """Pass the contest's state, as spectators know it, and its table to the view. Raise plays_here and Problem for a
    host who plays or holds a seat; redirect to the room from a match without such a table, and if the press of this
    form has been carried out before."""

    @wraps(view)
    def enter(request: HttpRequest, room: ControlRoom) -> HttpResponse:
        impartiality.refuse_player(room.lifecycle, str(room.host.id), "command")
        if room.seat is not None:
            raise Problem("forbidden", _("You hold a seat at this match, so its host's commands aren't yours."))
        if _is_pressed_again(request, room):
            return _done(request, room)
        match_state = feed.visible_state(room.match.id, SPECTATOR)
        table = host_table.table_of(room, match_state)
        if table is None:
            messages.error(request, _("No contest is being played here."))
            return _to_room(room)
        return view(request, room, match_state, table)

    return for_hosts(enter)


@posted_from("admin:control", "code")
@for_contests
def remind(request: HttpRequest, room: ControlRoom, match_state: MatchState, table: HostTable) -> HttpResponse:
    """Notify those who haven't submitted, each at most once in ten minutes."""
    if room.lifecycle.status != "running":
        messages.error(request, _("The contest isn't running, so nobody is reminded."))
        return _to_room(room)
    reminded = reminders.remind_missing(room.match, match_state, room.host.id)
    names = {it.number: it.name for it in table.missing}
    for seats, sentence in (
        (reminded.reached, _("Reminded: %(names)s.")),
        (reminded.recent, _("Reminded less than ten minutes ago: %(names)s.")),
        (reminded.unreached, _("No notification reaches: %(names)s.")),
    ):
        if seats:
            listed = ", ".join(names[seat] for seat in seats if seat in names)
            messages.add_message(request, messages.INFO, sentence % {"names": listed})
    if not any(reminded):
        messages.info(request, _("Nobody is missing."))
    return _to_room(room)


@require_http_methods(["GET", "HEAD", "POST"])
@for_contests
def give_time(request: HttpRequest, room: ControlRoom, match_state: MatchState, table: HostTable) -> HttpResponse:
    """Give more time to everybody who hasn't submitted."""
    form = TimeForm(request.POST or None, use_required_attribute=False)
    context = {"title": _("More time for the round"), "act": _("Give the time"), "form": form, "table": table}
    if request.method != "POST" or not form.is_valid():
        return _page(request, room, "contest_time", context, 422 if request.method == "POST" else 200)
    key, given = press_of(request), []
    for strip in table.missing:
        act = Extend(seat=strip.number, seconds=form.seconds, reason=form.cleaned_data["reason"])
        try:
            carry_out(act, HostRequest(room.match.id, room.host.id, f"{key}:{strip.number}"))
            given.append(strip.name)
        except Illegal as refusal:
            # A player who has submitted meanwhile needs no more time.
            if refusal.code != "no_prompt":
                return _refused(request, room, "contest_time", context, refusal)
    if given:
        messages.success(request, _("More time, and in the record: %(names)s.") % {"names": ", ".join(given)})
    else:
        messages.info(request, _("No time was given: nobody's clock is running."))
    return _to_room(room)


@require_http_methods(["GET", "HEAD", "POST"])
@for_contests
def close(request: HttpRequest, room: ControlRoom, match_state: MatchState, table: HostTable) -> HttpResponse:
    """Close the open round early; the page says whose defaults count then."""
    form = forms.Form(request.POST or None)
    context = {"title": _("Close the round"), "form": form, "table": table, "line": room.lifecycle.rewinds}
    context |= {"missing": joined_by_and([it.name for it in table.missing])}
    if request.method != "POST":
        return _page(request, room, "contest_close", context)
    if request.POST.get("line") != str(room.lifecycle.rewinds):
        form.add_error(None, _("The match was rewound meanwhile. Look at the round and press again."))
        return _page(request, room, "contest_close", context, 422)
    return _send(request, room, "contest_close", context, {"type": "close", "round": _number_in(request)})


@require_http_methods(["GET", "HEAD", "POST"])
@for_contests
def judge(request: HttpRequest, room: ControlRoom, match_state: MatchState, table: HostTable) -> HttpResponse:
    """Judge the round that waits for its host: points for each seat that was asked, after a preview."""
    state = match_state.state
    if state.stage != "judging":
        messages.error(request, _("No round waits for your judgement."))
        return _to_room(room)
    names = tuple(it.name for it in strips(room.match, match_state, SPECTATOR))
    form = JudgementForm(request.POST if request.method == "POST" else None, state=state, names=names)
    shown = _judged_state(request, room, match_state)
    context: dict[str, Any] = {
        "title": _("Judge the round"),
        "form": form,
        "table": table,
        "asked": request.GET.get("as", ""),
        "version": match_state.version,
        "may_look": room.may("look") and any(it.values is None for it in shown.played[-1].entries),
    }
    context["rows"] = _rows(room, match_state, form, shown, names)
    if request.method != "POST" or not form.is_valid():
        return _page(request, room, "contest_judge", context, 422 if request.method == "POST" else 200)
    body = {"type": "resolve", "round": table.number, "points": form.points, "text": form.cleaned_data["text"]}
    context |= {"preview": [(row, *_sum(row, form)) for row in context["rows"]]}
    context |= {"mark": mark_of(body), "text": form.cleaned_data["text"]}
    if request.POST.get("step") != "send" or request.POST.get("mark") != context["mark"]:
        return _page(request, room, "contest_judge", context)
    return _send(request, room, "contest_judge", context, body, expected_in(request))


@require_http_methods(["GET", "HEAD", "POST"])
@for_contests
def amend(request: HttpRequest, room: ControlRoom, match_state: MatchState, table: HostTable) -> HttpResponse:
    """Change rounds that haven't opened: all faults of the new content at once, or what it changes, then the act."""
    state, initial = match_state.state, {"pasted": rounds_as_text(current_content(match_state.state))}
    is_sent = request.method == "POST"
    values = (request.POST, request.FILES) if is_sent else ()
    form = AmendmentForm(*values, state=state, initial=initial)
    context: dict[str, Any] = {"title": _("Change later rounds"), "form": form, "table": table}
    if not is_sent or not form.is_valid() or form.faults:
        return _page(request, room, "contest_amend", context, 422 if is_sent else 200)
    # Another host may have amended it meanwhile, also within the spectators' delay.
    newest = repository.load(room.match.id, SPECTATOR)
    body = {"type": "amend", "content": to_json(form.content), "reason": form.cleaned_data["reason"]}
    context["differences"] = differences(current_content(state), form.content)
    context["mark"] = mark_of(to_json(current_content(newest.state)), body)
    if request.POST.get("step") != "send" or request.POST.get("mark") != context["mark"]:
        return _page(request, room, "contest_amend", context)
    return _send(request, room, "contest_amend", context, body, newest.version)


@posted_from("admin:control", "code")
@for_hosts
def note(request: HttpRequest, room: ControlRoom) -> HttpResponse:
    """Store the host's own notes at the match, which nobody else reads."""
    notes.refuse_without_aids(room.match.id, room.seat)
    notes.keep(room.match.id, room.host, text_of(request, notes.LONGEST_NOTE), request.POST.get("known", "").split())
    messages.success(request, _("Your notes are kept."))
    return _to_room(room)


def _judged_state(request: HttpRequest, room: ControlRoom, match_state: MatchState) -> Any:
    """Return the state with the submissions to judge: all of them if the host has looked since the round is over,
    otherwise those that spectators see."""
    shown_as = permitted_view(room, request.GET.get("as"))
    if shown_as is not None and shown_as.watched:
        looked_at = feed.visible_state(room.match.id, shown_as.witness, shown_as.version)
        state, public = looked_at.state, match_state.state
        is_same = looked_at.lifecycle.rewinds == match_state.lifecycle.rewinds
        if is_same and (state.stage, len(state.played)) == (public.stage, len(public.played)):
            return state
    return match_state.state


def _rows(
    room: ControlRoom, match_state: MatchState, form: JudgementForm, shown: Any, names: tuple[str, ...]
) -> list[JudgedRow]:
    """Return a row for each seat that was asked."""
    of_seat = {it.number: it for it in strips(room.match, match_state, SPECTATOR)}
    entries = {it.seat: it.values for it in shown.played[-1].entries}
    return [
        JudgedRow(
            of_seat[seat],
            None if entries.get(seat) is None else host_table.described(shown.round, entries[seat], names),
            form[f"points-{seat}"],
            match_state.state.points[seat],
            host_table.balances_of(match_state.state, seat),
        )
        for seat in form.seats
    ]


def _sum(row: JudgedRow, form: JudgementForm) -> tuple[int, int | None]:
    """Return the points that the form gives a player, and those that this makes, None if they are unknown."""
    gain = form.points[str(row.strip.number)]
    return gain, None if row.points is None else row.points + gain


def _send(
    request: HttpRequest,
    room: ControlRoom,
    template: str,
    context: dict[str, Any],
    body: dict[str, Any],
    version: int | None = None,
) -> HttpResponse:
    """Send the host's command, as over REST; a refusal is shown in the form, with what was typed."""
    expected = None if version is None else Point(version, b"")
    try:
        commands.send(room.host.id, room.match.code, body, key=press_of(request), expected=expected)
    except Exception as refusal:
        return _refused(request, room, template, context, refusal)
    return _done(request, room)


def _is_pressed_again(request: HttpRequest, room: ControlRoom) -> bool:
    is_form = request.method == "POST" and "key" in request.POST
    stored = (
        playing.stored_answer(match_id=room.match.id, player=str(room.host.id), key=press_of(request))
        if is_form
        else None
    )
    return stored is not None


def _done(request: HttpRequest, room: ControlRoom) -> HttpResponse:
    messages.success(request, _("Done, and in the record."))
    return _to_room(room)


def _refused(
    request: HttpRequest, room: ControlRoom, template: str, context: dict[str, Any], refusal: Exception
) -> HttpResponse:
    status = add_refusal(context["form"], refusal)
    if isinstance(refusal, playing.VersionMoved):
        context["form"].add_error(None, _("Somebody acted meanwhile. Look at the preview and press again."))
    return _page(request, room, template, context, status)


def _number_in(request: HttpRequest) -> int:
    given = request.POST.get("round", "")
    if not (given.isascii() and given.isdigit() and 0 < len(given) < 4):
        raise Problem("malformed", _("The form is out of date; load the page again."))
    return int(given)


def _to_room(room: ControlRoom) -> HttpResponse:
    return redirect("admin:control", code=room.match.code)


def _page(
    request: HttpRequest, room: ControlRoom, template: str, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    more = {"match": room.match, "key": request.POST.get("key") or fresh_key()}
    site = admin.site.each_context(request)
    return render(request, f"panel/{template}.html", {**site, **more, **context}, status=status)
