"""Accepting and declining a seat that the opener of a friendly has given to somebody."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from games.kernel import Illegal
from matches.html.entry import counted, posted_from, signed_in
from matches.html.text_fields import text_of
from matches.http.match_access import match_named
from matches.http.problems import problem_of
from matches.models import Match
from matches.services import accepting, playing

_LONGEST_REASON = 500


@posted_from("web:match", "code")
@signed_in
@counted
def accept(request: HttpRequest, code: str) -> HttpResponse:
    """Accept the reader's seat; redirect to the table."""
    match = match_named(code)
    try:
        accepting.accept(match_id=match.id, player=request.user.id)
        match.refresh_from_db(fields=["status"])
    except (Illegal, playing.NotAllowed) as refused:
        _show_refusal(request, refused)
    return _back(match)


@posted_from("web:match", "code")
@signed_in
@counted
def decline(request: HttpRequest, code: str) -> HttpResponse:
    """Decline the reader's seat; redirect to the lobby, or to the match whose rematch this was."""
    match = match_named(code)
    reason = text_of(request, _LONGEST_REASON, "reason").strip()
    try:
        accepting.decline(match_id=match.id, player=request.user.id, reason=reason)
    except (Illegal, playing.NotAllowed) as refused:
        _show_refusal(request, refused)
        return _back(match)
    before = Match.objects.filter(id=match.rematch_of).first() if match.rematch_of else None
    if before is not None:
        return redirect("web:match", code=before.code)
    messages.success(request, f"You have declined match {match.code}.")
    return redirect("web:lobby")


def _show_refusal(request: HttpRequest, refused: Exception) -> None:
    problem = problem_of(refused)
    messages.error(request, problem.detail if problem else str(refused))


def _back(match: Match) -> HttpResponse:
    return redirect("web:seats" if match.status == Match.Status.WAITING else "web:match", code=match.code)
