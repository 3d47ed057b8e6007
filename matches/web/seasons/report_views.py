"""The page of reported remarks, for a season's organisers and hosts; nobody sees reports of own remarks."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.kernel import Illegal
from matches.domain.talk import LONGEST
from matches.html.entry import counted, posted_from, signed_in
from matches.http import paging, talk
from matches.http.problems import Problem
from matches.seasons.models import Season
from matches.seasons.reads import selectors
from matches.talk import reporting
from matches.web.seasons.board_views import show_refusal


@require_safe
@signed_in
@counted
def reports(request: HttpRequest, season_id: UUID) -> HttpResponse:
    """List the reports, newest first."""
    season = _moderated(request, season_id)
    stored = reporting.reports_for(request.user, season_id)
    rows, following = paging.page(stored, request.GET.get("cursor"), order=("-at", "-id"))
    return render(request, "web/season_reports.html", {"season": season, "reports": rows, "following": following})


@posted_from("web:season_reports", "season_id")
@signed_in
@counted
def answer(request: HttpRequest, season_id: UUID, report_id: UUID) -> HttpResponse:
    """Answer a report, and hide its remark if the form asks for that."""
    _moderated(request, season_id)
    report = reporting.reports_for(request.user, season_id).filter(id=report_id).first()
    try:
        if report is None:
            raise Problem("no_such_report", _("There is no report with this id."))
        reason = talk.cleaned_reason(request.POST.get("reason", "")[:LONGEST])
        reporting.answer(report, by=request.user, reason=reason, hide=request.POST.get("act") == "hide")
    except (Illegal, Problem) as refusal:
        show_refusal(request, refusal)
    return redirect("web:season_reports", season_id=season_id)


def _moderated(request: HttpRequest, season_id: UUID) -> Season:
    """Return the season; raise Problem if the reader doesn't moderate its talk."""
    season = selectors.season_for(request.user, season_id)
    if season is None:
        raise Problem("not_found", _("There is no season with this id."))
    talk.refuse_unless_moderator(talk.on_board(request.user, season))
    return season
