"""Reports of remarks in a season's talk: for its organisers and hosts, except those whose remark is reported."""

from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.views import APIView

from matches.api.season_access import visible_season
from matches.api.talk_answers import OF_HOSTS, READ, WRITE
from matches.http import paging, talk
from matches.http.operations import operation
from matches.http.problems import Problem
from matches.http.responses import answer
from matches.http.strangers import is_stranger
from matches.http.talk_bodies import AnswerReportBody, PagesQuery
from matches.models.talk import Report
from matches.reads import selectors
from matches.reads.documents.talk import ReportDocument, ReportList
from matches.talk import reading, reporting


class ReportsView(APIView):
    scopes = {"GET": READ}

    @operation("listSeasonReports", tag="Season", query=PagesQuery, answers={200: ReportList}, problems=OF_HOSTS)
    def get(self, request: Request, season_id: UUID, query: PagesQuery) -> HttpResponse:
        """List the reports of remarks in the season's rooms and on its board, newest first: for its organisers and
        hosts, and the organisers of the service. Nobody sees reports of own remarks."""
        reports = reporting.reports_for(request.user, _moderated_season(request, season_id))
        rows, following = paging.page(reports, query.cursor, query.limit, order=("-at", "-id"))
        return answer(ReportList([_document(it) for it in rows], following))


class AnswerReportView(APIView):
    scopes = {"POST": WRITE}

    @operation(
        "answerReport", tag="Season", body=AnswerReportBody, answers={200: ReportDocument},
        problems=(*OF_HOSTS, "no_such_report"),
    )  # fmt: skip
    def post(self, request: Request, season_id: UUID, report: UUID, body: AnswerReportBody) -> HttpResponse:
        """Answer a report, with the reason on record, and hide the remark if it should be. The first answer stays."""
        reports = reporting.reports_for(request.user, _moderated_season(request, season_id))
        stored = reports.filter(id=report).first()
        if stored is None:
            raise Problem("no_such_report", "There is no report with this id.")
        reporting.answer(stored, by=request.user, reason=talk.cleaned_reason(body.reason), hide=body.hide)
        return answer(_document(reports.get(id=report)))


def _moderated_season(request: Request, season_id: UUID) -> UUID:
    """Return the season's id; raise Problem if the caller doesn't moderate its talk."""
    season = visible_season(request, season_id)
    talk.refuse_unless_moderator(talk.on_board(None if is_stranger(request) else request.user, season))
    return season.id


def _document(it: Report) -> ReportDocument:
    remark, thread = it.remark, it.remark.thread
    is_board = thread.about == it.season
    return ReportDocument(
        id=it.id,
        room=None if is_board else thread.about,
        episode=int(thread.name) if is_board else None,
        remark=reading.document(remark, whole=True),
        by=selectors.person(it.by),
        reason=it.reason,
        at=it.at,
        answered_by=selectors.person(it.answered_by) if it.answered_by else None,
        answer=it.answer,
        answered_at=it.answered_at,
    )
