"""The spectators' talk, which players read once the match is over."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from matches.html.entry import counted, signed_in
from matches.html.text_fields import text_of
from matches.http import remarks
from matches.models.writing import Remark
from matches.web.play.viewers import Viewer, viewer_of
from matches.web.problem_pages import wants_document


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@counted
def talk(request: HttpRequest, code: str) -> HttpResponse:
    """What spectators have said; a POST says something. To a seat the room is closed until the end."""
    viewer = viewer_of(request, code)
    remarks.refuse_listening(viewer.seat, viewer.story.over)
    if request.method == "POST":
        remarks.say(viewer.match.id, request.user, viewer.seat, text_of(request, remarks.LONGEST_REMARK))
        if not wants_document(request):
            return redirect("web:match", code=viewer.match.code)
    return render(request, "web/match/remarks.html", {"remarks": remarks_for(viewer), "match": viewer.match})


def remarks_for(viewer: Viewer, upto: int | None = None) -> list[Remark]:
    """The latest remarks, oldest first, up to a version; none for who may not hear them."""
    if not viewer.hears_spectators:
        return []
    return remarks.latest(viewer.match.id, upto)
