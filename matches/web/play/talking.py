"""Talk beside the match page: reading and writing it, and moderating."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple, get_args
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.kernel import Illegal
from matches.domain.talk import LONGEST, SPECTATORS, TABLE, TalkFor
from matches.html import form_values
from matches.html.entry import counted, posted_from, signed_in
from matches.html.text_fields import text_of
from matches.http import talk
from matches.http.match_access import is_host
from matches.http.problems import Problem, problem_of, wants_document
from matches.http.talk import Talk
from matches.models import Account, Seat
from matches.models.talk import Remark
from matches.talk import blocking, reading
from matches.talk.muting import Span
from matches.web.play.viewers import Viewer, viewer_of

MOST_SHOWN = 100
_SPANS: dict[str, Span] = {"mute_ten_minutes": "ten_minutes", "mute_match": "match", "mute_season": "season"}


LEVELS = (("all", _("All who may watch")), ("members", _("The match's own people")), ("off", _("Nobody")))
"""The audiences of talk that hosts may choose."""


class Shown(NamedTuple):
    """A thread as the page shows it; `sentence` says who may write and read."""

    name: str
    title: str
    sentence: str
    remarks: list[Remark]
    writes: bool
    last: int


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@counted
def talking(request: HttpRequest, code: str) -> HttpResponse:
    """Show the threads that the reader may read; a POST writes a remark in one."""
    viewer = viewer_of(request, code)
    it = talk_of(viewer)
    if request.method == "POST":
        thread = known_thread(request.POST.get("thread", SPECTATORS))
        try:
            talk.say(it, thread, text_of(request, LONGEST), form_values.key_or_none_in(request.POST), request)
        except (Illegal, Problem) as refusal:
            if wants_document(request):
                raise
            _show_refusal(request, refusal)
        if not wants_document(request):
            return redirect(f"{viewer.address}?talk={thread}")
    if not it.rights.reads:
        talk.refuse_deaf(it, SPECTATORS)
    return render(request, "web/match/talk_threads.html", context_of(viewer, it))


@posted_from("web:match", "code")
@signed_in
@counted
def moderating(request: HttpRequest, code: str) -> HttpResponse:
    """Hide or restore a remark, mute or block its author, or set for whom the talk is open."""
    viewer = viewer_of(request, code)
    try:
        runs = partial(is_host, match=viewer.match)
        carry_out(talk_of(viewer), request, known_thread, runs)
    except (Illegal, Problem) as refusal:
        if wants_document(request):
            raise
        _show_refusal(request, refusal)
    if not wants_document(request):
        return redirect(f"{viewer.address}?talk=open")
    return render(request, "web/match/talk_threads.html", context_of(viewer))


def carry_out(
    it: Talk, request: HttpRequest, thread_named: Callable[[str], str], runs: Callable[[Account], bool]
) -> None:
    """Do what a form about remarks asks for; raise Problem, Illegal. `runs` returns True for accounts that can't be
    muted."""
    form = request.POST
    act, reason = form.get("act", ""), form.get("reason", "")[:LONGEST]
    if act in ("hide", "restore", "report"):
        thread, number = thread_named(form.get("thread", "")), form_values.version_in(form.get("number", "")) or 0
        if act == "report":
            talk.report(it, thread, number, reason, request)
        else:
            talk.hide(it, thread, number, reason, hidden=act == "hide")
    elif act in _SPANS:
        talk.mute(it, _account_in(form), _SPANS[act], reason, runs=runs)
    elif act in ("block", "unblock") and it.account is not None:
        change = blocking.block if act == "block" else blocking.unblock
        change(it.account, _account_in(form))
    elif act == "open_to" and (wanted := form.get("open_to")) in get_args(TalkFor):
        talk.set_open_to(it, wanted)
    else:
        raise Problem("malformed", _("There is no such act."))


def _account_in(form: QueryDict) -> UUID:
    try:
        return UUID(form.get("account", ""))
    except ValueError:
        raise Problem("no_such_player") from None


def talk_of(viewer: Viewer) -> Talk:
    """Return the match's talk for the viewer."""
    return talk.at_match(viewer.account, viewer.match, viewer.lifecycle)


def context_of(viewer: Viewer, it: Talk | None = None) -> dict[str, Any]:
    """Return the context of the talk beside the page."""
    it = it or talk_of(viewer)
    return {
        "match": viewer.match,
        "talk": it,
        "is_over": viewer.lifecycle.over,
        "talk_key": form_values.fresh_key(),
        "levels": LEVELS,
        "threads": [_shown(it, thread) for thread in (TABLE, SPECTATORS) if it.reads(thread)],
        "folded": blocking.ids_of(it.account) if it.account else frozenset(),
        "mute": it.mute,
        "seat_numbers": seats_of(viewer),
    }


def until_then(viewer: Viewer, version: int) -> dict[str, Any]:
    """Return the remarks up to a version."""
    it = talk_of(viewer)
    threads = [
        (title_of(thread), remarks)
        for thread in (TABLE, SPECTATORS)
        if it.reads(thread) and (remarks := reading.until_version(it.about, thread, it.ears, version))
    ]
    return {"said": threads, "folded": blocking.ids_of(it.account) if it.account else frozenset()}


def rendered(match_id: UUID, thread: str, remarks: Sequence[Remark]) -> str:
    """Return remarks as HTML, the same for every reader's page."""
    seats = _seats(match_id)
    lines = (
        render_to_string("web/match/remark.html", {"remark": it, "thread": thread, "seat_numbers": seats})
        for it in remarks
    )
    return "".join(lines).encode().decode()


def title_of(thread: str) -> str:
    return _("At the table") if thread == TABLE else _("Spectators")


def known_thread(name: str) -> str:
    """Return the name of a match's thread; raise Problem."""
    if name not in talk.MATCH_THREADS:
        raise Problem("not_found")
    return name


def seats_of(viewer: Viewer) -> dict[UUID, int]:
    """Return the seats by account: at the table, names have their seats' colours."""
    return {seat.account_id: seat.number for seat in viewer.match.seats.all() if seat.account_id}


def _seats(match_id: UUID) -> dict[UUID, int]:
    return dict(Seat.objects.filter(match=match_id).exclude(account=None).values_list("account_id", "number"))


def _shown(it: Talk, thread: str) -> Shown:
    remarks, _before = reading.page(it.about, thread, it.ears, limit=MOST_SHOWN)
    last = remarks[-1].number or 0 if remarks else 0
    return Shown(thread, title_of(thread), _who(it, thread), remarks, it.writes(thread), last)


def _who(it: Talk, thread: str) -> str:
    """Return a sentence on who writes in a thread, and who reads it."""
    if it.open_to == "off":
        return _("Switched off: hosts alone still read it.")
    if thread == TABLE and it.open_to == "members":
        return _("Players and hosts speak. The people of the match and its season read.")
    if thread == TABLE:
        return _("Players and hosts speak. All may read.")
    if it.open_to == "members":
        return _("For the people of the match and its season.")
    return _("For everybody who watches.")


def _show_refusal(request: HttpRequest, refusal: Exception) -> None:
    problem = problem_of(refusal)
    messages.error(request, problem.detail if problem else str(refusal))
