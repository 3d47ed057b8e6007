"""The spectators' talk, which players read once the match is over."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from matches.domain.guests import not_for_guests
from matches.html.entry import counted, signed_in
from matches.html.text_fields import text_of
from matches.http.problems import Problem
from matches.reads import feed
from matches.web.models import Remark
from matches.web.play.viewers import Viewer, viewer_of
from matches.web.problem_pages import wants_document

LONGEST_REMARK = 500
MOST_REMARKS = 200


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@counted
def talk(request: HttpRequest, code: str) -> HttpResponse:
    """What spectators have said; a POST says something. To a seat the room is closed until the end."""
    viewer = viewer_of(request, code)
    if not viewer.hears_spectators:
        raise Problem("forbidden", "You read what spectators said once the match is over.")
    if request.method == "POST":
        _say(request, viewer)
        if not wants_document(request):
            return redirect("web:match", code=viewer.match.code)
    return render(request, "web/match/remarks.html", {"remarks": remarks_for(viewer), "match": viewer.match})


def _say(request: HttpRequest, viewer: Viewer) -> None:
    text = " ".join(text_of(request, LONGEST_REMARK).split())
    if request.user.is_guest:
        raise not_for_guests("Talk is for accounts alone.")
    if viewer.seat is not None:
        raise Problem("forbidden", "The talk is the spectators'; you hold a seat.")
    if not text:
        raise Problem("malformed", "Write something first.")
    # As far as the speaker has been told the match: a late spectator's talk would else say how far it really is.
    version = feed.visible_state(viewer.match.id, viewer.witness).version
    Remark.objects.create(match_id=viewer.match.id, account=request.user, at_version=version, text=text)


def remarks_for(viewer: Viewer, upto: int | None = None) -> list[Remark]:
    """The latest remarks, oldest first, up to a version; none for who may not hear them."""
    if not viewer.hears_spectators:
        return []
    said = Remark.objects.filter(match_id=viewer.match.id).select_related("account")
    if upto is not None:
        said = said.filter(at_version__lte=upto)
    return list(reversed(said.order_by("-id")[:MOST_REMARKS]))
