"""The progress and result of a trial, for the editor's script."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from matches.contests.reads import visible
from matches.contests.services import trials
from matches.html.entry import counted, signed_in
from matches.web.contests import results


@require_safe
@signed_in
@counted
def trial(request: HttpRequest, contest_id: UUID, trial_id: UUID) -> HttpResponse:
    """Return the part of the editor that shows a trial of the reader."""
    contest = visible.contest_for(request.user, contest_id)
    row = trials.trial_of(request.user, trial_id)
    version = visible.versions_for(request.user, contest).filter(digest=row.digest).first()
    context = {"contest": contest, "result": results.result_of(row, version.data if version else None)}
    return render(request, "web/contests/trial.html", context)
