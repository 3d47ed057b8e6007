"""Trials on the pages of contests: the buttons that begin and cancel them, their progress and results."""

from typing import Any, Final
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.contest.reading import Faulty
from games.kernel import Illegal
from matches.contests.domain.drafts import Draft
from matches.contests.reads import visible
from matches.contests.reads.visible import NoSuchContest
from matches.contests.services import trials
from matches.html.entry import counted, signed_in
from matches.html.form_values import version_in
from matches.http import limits
from matches.http.addresses import network
from matches.web.contests import results

RUNS: Final = 1_000
ACTS: Final = ("play", "try", "cancel")
"""The first words of the values of the buttons."""
_USUAL_SEATS: Final = 13


@require_safe
@signed_in
@counted
def trial(request: HttpRequest, contest_id: UUID, trial_id: UUID) -> HttpResponse:
    """Return the part of a page that shows a trial of the reader."""
    contest = visible.contest_for(request.user, contest_id)
    row = trials.trial_of(request.user, trial_id)
    version = visible.versions_for(request.user, contest).filter(digest=row.digest).first()
    context = {"contest": contest, "result": results.result_of(row, version.data if version else None)}
    return render(request, "web/contests/trial.html", context)


def tried(request: HttpRequest, draft: Draft) -> dict[str, Any]:
    """Do what a button of a form says, and return what the page shows of it: a course, a trial, or a refusal."""
    verb, _space, place = request.POST.get("do", "").partition(" ")
    seats = version_in(request.POST.get("seats", "")) or 0
    if verb in ("play", "try"):
        limits.spend("trials", request.user.pk, network(request.META.get("REMOTE_ADDR", "")), request)
    try:
        match verb:
            case "play":
                return {"course": trials.play_one(account=request.user, draft=draft, seats=seats)}
            case "try":
                return {"trial": trials.start(account=request.user, draft=draft, seats=seats, runs=RUNS)}
            case "cancel":
                trials.cancel(account=request.user, trial_id=UUID(place))
    except Faulty:
        return {"trial_refusal": _("A contest with faults can't be tried. Mend them first.")}
    except Illegal as refused:
        return {"trial_refusal": refused.message}
    except (NoSuchContest, ValueError):
        return {"trial_refusal": _("There is no such trial.")}
    return {}


def context_of(request: HttpRequest, draft: Draft, more: dict[str, Any]) -> dict[str, Any]:
    """Return the number of bots and the newest trial, for a page with what `tried` has returned."""
    row = more.get("trial") or results.newest(request.user, draft)
    return {"seats": _seats(request, draft), "result": results.result_of(row, draft.data) if row else None}


def _seats(request: HttpRequest, draft: Draft) -> int:
    """Return the number of bots that the form names, or 13 within the bounds of the content."""
    sent = version_in(request.POST.get("seats", ""))
    if sent or draft.content is None:
        return sent or _USUAL_SEATS
    return min(max(_USUAL_SEATS, draft.content.least_seats), draft.content.most_seats)
