"""The pages of a season's board: remarks in threads by episode."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.kernel import Illegal
from matches.domain.talk import LONGEST
from matches.html import form_values
from matches.html.entry import counted, posted_from, signed_in
from matches.html.text_fields import text_of
from matches.http import talk
from matches.http.problems import Problem, problem_of, wants_document
from matches.http.talk import Talk
from matches.seasons.models import Season
from matches.seasons.reads import board, selectors
from matches.talk import blocking, reading
from matches.web.play.talking import MOST_SHOWN, carry_out


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@counted
def thread(request: HttpRequest, season_id: UUID, number: int = board.AT_LARGE) -> HttpResponse:
    """Show a thread of the board; a POST adds a remark. Scripts get the remarks without the page."""
    season, it, name = _opened(request, season_id, number)
    if request.method == "POST":
        try:
            talk.say(it, name, text_of(request, LONGEST), form_values.key_or_none_in(request.POST), request)
        except (Illegal, Problem) as refusal:
            if wants_document(request):
                raise
            show_refusal(request, refusal)
        if not wants_document(request):
            return redirect(_address(season_id, number))
    context = {
        "season": season,
        "number": number,
        "threads": board.threads(season_id, it.ears),
        "say_address": _address(season_id, number),
        "menu_address": reverse("web:season_moderate", args=[season_id, number]),
        **thread_context(request, it, name),
    }
    return render(request, "web/board_remarks.html" if is_script(request) else "web/season_board.html", context)


@posted_from("web:season_thread", "season_id", "number")
@signed_in
@counted
def moderate(request: HttpRequest, season_id: UUID, number: int) -> HttpResponse:
    _season, it, name = _opened(request, season_id, number)
    try:
        carry_out(it, request, lambda thread: name, lambda account: board.moderates(account, season_id))
    except (Illegal, Problem) as refusal:
        if wants_document(request):
            raise
        show_refusal(request, refusal)
    if wants_document(request):
        return thread(request, season_id=season_id, number=number)
    return redirect(_address(season_id, number))


def thread_context(request: HttpRequest, it: Talk, name: str) -> dict[str, Any]:
    """Return the context of `board_thread.html`: the latest remarks of a thread, or those before the requested one."""
    remarks, earlier = reading.page(
        it.about, name, it.ears, before=form_values.version_in(request.GET.get("before", "")), limit=MOST_SHOWN
    )
    return {
        "talk": it,
        "thread": name,
        "remarks": remarks,
        "earlier": earlier,
        "folded": blocking.ids_of(request.user),
        "mute": it.mute,
        "talk_key": form_values.fresh_key(),
    }


def is_script(request: HttpRequest) -> bool:
    """True if a script of the page requests the remarks alone."""
    return request.headers.get("X-Requested-With") == "fetch" or wants_document(request)


def _opened(request: HttpRequest, season_id: UUID, number: int) -> tuple[Season, Talk, str]:
    """Return the season, the reader's rights on its board, and the thread's name; raise Problem if they may not read
    it."""
    season = selectors.season_for(request.user, season_id)
    if season is None:
        raise Problem("not_found", _("There is no season with this id."))
    it = talk.on_board(request.user, season)
    talk.refuse_deaf(it, board.KIND)
    return season, it, board.thread_of(season_id, number)


def _address(season_id: UUID, number: int) -> str:
    return reverse("web:season_thread", args=[season_id, number])


def show_refusal(request: HttpRequest, refusal: Exception) -> None:
    problem = problem_of(refusal)
    messages.error(request, problem.detail if problem else str(refusal))
