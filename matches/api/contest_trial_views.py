"""Trials of contests by bots: one contest at once, or many that workers play."""

from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.views import APIView

from matches.api.contest_bodies import ContentTrialBody, TrialBody
from matches.api.contest_views import MOST_BYTES, READ, WRITE
from matches.contests.domain.drafts import Draft, read_draft
from matches.contests.reads import documents, visible
from matches.contests.reads.documents import TrialDocument, TrialList
from matches.contests.services import trials
from matches.http import limits
from matches.http.addresses import network
from matches.http.operations import operation
from matches.http.responses import answer, nothing

_OF_TRIALS = ("not_for_guests", "content_faulty", "bad_seats", "trial_running")


class ContestTrialsView(APIView):
    scopes = {"GET": READ, "POST": WRITE}

    @operation("listContestTrials", tag="Games", answers={200: TrialList}, problems=("not_for_guests",))
    def get(self, request: Request, contest: UUID) -> HttpResponse:
        """List your trials of the content of a contest's newest version that you may read, newest first, with their
        progress and results."""
        row = visible.contest_for(request.user, contest)
        version = visible.version_for(request.user, row)
        return answer(TrialList(documents.trials_of(request.user, version)))

    @operation(
        "tryContest", tag="Games", body=TrialBody, answers={200: TrialDocument, 202: TrialDocument},
        problems=_OF_TRIALS,
    )  # fmt: skip
    def post(self, request: Request, contest: UUID, body: TrialBody) -> HttpResponse:
        """Let bots play a contest. With `runs` of 1 the response is its course in sentences; with more, workers play
        them: 202 has a trial to follow. The same content with as many players isn't played twice, and an account has
        one running trial."""
        row = visible.contest_for(request.user, contest)
        draft = read_draft(visible.version_for(request.user, row).data)
        return _tried(request, draft, body.seats, body.runs)


class TrialsView(APIView):
    scopes = {"POST": WRITE}

    @operation(
        "tryContent", tag="Games", body=ContentTrialBody, answers={200: TrialDocument, 202: TrialDocument},
        problems=_OF_TRIALS, most_bytes=MOST_BYTES,
    )  # fmt: skip
    def post(self, request: Request, body: ContentTrialBody) -> HttpResponse:
        """Let bots play a content that need not be stored, as POST .../trials does with a contest."""
        return _tried(request, read_draft(body.content), body.seats, body.runs)


class TrialView(APIView):
    scopes = {"GET": READ, "DELETE": WRITE}

    @operation("readContestTrial", tag="Games", answers={200: TrialDocument})
    def get(self, request: Request, trial: UUID) -> HttpResponse:
        """Read the progress of your trial, and its result once it has finished."""
        return answer(documents.trial_document(trials.trial_of(request.user, trial)))

    @operation("cancelContestTrial", tag="Games", answers={204: None})
    def delete(self, request: Request, trial: UUID) -> HttpResponse:
        """Cancel your trial, or delete its result."""
        trials.cancel(account=request.user, trial_id=trial)
        return nothing()


def _tried(request: Request, draft: Draft, seats: int, runs: int) -> HttpResponse:
    """Return 200 with a trial that is over, or 202 with one that is running; raise Problem, Illegal, Faulty."""
    limits.spend("trials", request.user.pk, network(request.META.get("REMOTE_ADDR", "")), request)
    if runs == 1:
        course = trials.play_one(account=request.user, draft=draft, seats=seats)
        return answer(TrialDocument(None, seats, 1, 1, "finished", course=course.sentences, is_whole=course.is_whole))
    trial = trials.start(account=request.user, draft=draft, seats=seats, runs=runs)
    return answer(documents.trial_document(trial), status=202 if trial.status == "running" else 200)
