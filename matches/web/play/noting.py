"""An account's private notes at a match, which may be open in several windows."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from matches.html.entry import counted, signed_in
from matches.html.text_fields import text_of
from matches.http import notes
from matches.http.problems import wants_document
from matches.web.play.viewers import Viewer, viewer_of


@require_http_methods(["GET", "HEAD", "POST"])
def note(request: HttpRequest, code: str) -> HttpResponse:
    """Store the account's notes at this match; a script may also read them. Reloading the page does nothing."""
    if request.method != "POST" and not wants_document(request):
        return redirect("web:match", code=code)
    return _note(request, code)


@signed_in
@counted
def _note(request: HttpRequest, code: str) -> HttpResponse:
    viewer = viewer_of(request, code)
    notes.refuse_without_aids(viewer.match.id, viewer.seat)
    if request.method == "POST":
        sent, marks = text_of(request, notes.LONGEST_NOTE), request.POST.get("known", "").split()
        text = notes.keep(viewer.match.id, request.user, sent, marks)
    else:
        text = note_of(viewer)
    if not wants_document(request):
        return redirect("web:match", code=viewer.match.code)
    return JsonResponse({"text": text, "mark": notes.mark(text)})


def keeps_notes(viewer: Viewer) -> bool:
    """True if the match's page keeps notes for this viewer: not for a seat without aids."""
    return notes.are_kept(viewer.match.id, viewer.seat)


def note_of(viewer: Viewer) -> str:
    """Return the account's notes at this match, or ""."""
    if viewer.account is None or not keeps_notes(viewer):
        return ""
    return notes.note_of(viewer.match.id, viewer.account)
