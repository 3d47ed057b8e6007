"""The submissions of a contest as files for spreadsheets, as the reader may see them."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from matches.html.entry import counted
from matches.html.form_values import version_in
from matches.http.table_files import form_named, table_file, zone_of
from matches.reads import entitlements, feed
from matches.reads.sentences import plain_names_of
from matches.reads.submissions import submissions
from matches.seasons.domain.contests import CONTEST
from matches.web.play.viewers import viewer_of


@require_safe
@counted
def table(request: HttpRequest, code: str, form: str) -> HttpResponse:
    """Return the submissions of the rounds that are over as CSV or XLSX, at the version `?at=` and as the witness
    `?as=`. What the seats of a running contest keep from each other, a host gets up to their last look on record."""
    viewer = viewer_of(request, code)
    wanted = form_named(form)
    if wanted is None or viewer.match.game != CONTEST:
        raise Http404("There is no such file of this match.")
    match, requested, upto = viewer.match, request.GET.get("as"), version_in(request.GET.get("at", ""))
    witness = viewer.asking(requested)
    if entitlements.is_watched(viewer.lifecycle, requested):
        if not viewer.looked_at:
            version = feed.visible_version(match.id, witness)
            return render(request, "web/match/look.html", {"match": match, "version": version})
        upto = min(upto or viewer.looked_at, viewer.looked_at)
    state = feed.visible_state(match.id, witness, upto).state
    return table_file(submissions(state, plain_names_of(match)), wanted, zone_of(request), match.code)
