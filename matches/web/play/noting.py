"""An account's private notes at a match, which may stand open in several windows."""

from zlib import adler32

from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from matches.html.entry import counted, signed_in
from matches.html.text_fields import text_of
from matches.http.problems import Problem
from matches.reads import feed
from matches.web.models import Note
from matches.web.play.viewers import Viewer, viewer_of
from matches.web.problem_pages import wants_document

LONGEST_NOTE = 20_000


@require_http_methods(["GET", "HEAD", "POST"])
def note(request: HttpRequest, code: str) -> HttpResponse:
    """Keep the account's notes at this match; a script may ask for them too. A page loaded again does nothing."""
    if request.method != "POST" and not wants_document(request):
        return redirect("web:match", code=code)
    return _note(request, code)


@signed_in
@counted
def _note(request: HttpRequest, code: str) -> HttpResponse:
    viewer = viewer_of(request, code)
    if not keeps_notes(viewer):
        raise Problem("aids_off", "This match is played without aids: its page keeps no notes until it is over.")
    if request.method == "POST":
        text = _keep(viewer, text_of(request, LONGEST_NOTE), request.POST.get("known", "").split())
    else:
        text = note_of(viewer)
    if not wants_document(request):
        return redirect("web:match", code=viewer.match.code)
    return JsonResponse({"text": text, "mark": mark(text)})


def keeps_notes(viewer: Viewer) -> bool:
    """Whether the match's page keeps notes for this viewer: not for a seat without aids."""
    return viewer.seat is None or feed.remembers(viewer.match.id, viewer.seat)


def note_of(viewer: Viewer) -> str:
    """What the account has written down at this match."""
    if viewer.account is None or not keeps_notes(viewer):
        return ""
    found = Note.objects.filter(match_id=viewer.match.id, account=viewer.account).values_list("text", flat=True)
    return found.first() or ""


def mark(text: str) -> str:
    """What a page names a text by that it knows; it makes the same mark itself."""
    return f"{adler32(text.encode()):08x}"


@transaction.atomic
def _keep(viewer: Viewer, text: str, known: list[str]) -> str:
    """Store the text; where one stands that its writer didn't know, what that one says more stays below it."""
    kept, _ = Note.objects.select_for_update().get_or_create(match_id=viewer.match.id, account=viewer.account)
    kept.text = text if mark(kept.text) in known else _with_lines_of(kept.text, text)
    kept.save()
    return kept.text


def _with_lines_of(other: str, text: str) -> str:
    """The text, and below it the other's lines that it hasn't."""
    mine = text.split("\n")
    missed = [line for line in other.split("\n") if line.strip() and line not in mine]
    return "\n".join([text, *missed] if text else missed)
