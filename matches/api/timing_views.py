"""Times of a season's matches, absences, and deadlines of players' decisions."""

from datetime import datetime
from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request

from matches.api.season_access import ACCEPTED, COMMAND, KEYED, PLAY, SeasonView, acted, refusals
from matches.api.season_bodies import (
    AbsenceBody,
    AcceptedTimeBody,
    DeadlineBody,
    MatchTimeBody,
    TimesBody,
    TryQuery,
)
from matches.http.operations import operation
from matches.seasons.domain import scheduling

_OF_MATCH = ("not_in_season", "not_scheduled")


class TimesView(SeasonView):
    scopes = {"POST": PLAY}

    @operation(
        "proposeTimes", tag="Season", body=TimesBody, query=TryQuery, headers=KEYED, answers=ACCEPTED,
        problems=refusals(
            *_OF_MATCH, "not_living", "no_such_time", "too_many_proposals", "bad_opening_time", "already_started"
        ),
    )  # fmt: skip
    def post(self, request: Request, season_id: UUID, match: UUID, query: TryQuery, body: TimesBody) -> HttpResponse:
        """Propose times for a match: for its players, and who runs the season. A time that all its players have
        proposed or accepted is set."""
        times = [_instant(it) for it in body.times]
        return acted(request, season_id, query, "propose-times", body, match=str(match), times=times)


class AcceptTimeView(SeasonView):
    scopes = {"POST": PLAY}

    @operation(
        "acceptTime", tag="Season", body=AcceptedTimeBody, query=TryQuery, headers=KEYED, answers=ACCEPTED,
        problems=refusals(
            *_OF_MATCH, "not_living", "no_such_time", "already_accepted", "bad_opening_time", "already_started"
        ),
    )  # fmt: skip
    def post(
        self, request: Request, season_id: UUID, match: UUID, query: TryQuery, body: AcceptedTimeBody
    ) -> HttpResponse:
        """Accept one of the proposed times: for the match's players. The last of them sets it."""
        opens_at = _instant(body.opens_at)
        return acted(request, season_id, query, "accept-time", body, match=str(match), opens_at=opens_at)


class MatchTimeView(SeasonView):
    scopes = {"POST": COMMAND}

    @operation(
        "setMatchTime", tag="Season", body=MatchTimeBody, query=TryQuery, headers=KEYED, answers=ACCEPTED,
        problems=refusals(*_OF_MATCH, "same_time", "bad_opening_time", "already_started"),
    )  # fmt: skip
    def post(
        self, request: Request, season_id: UUID, match: UUID, query: TryQuery, body: MatchTimeBody
    ) -> HttpResponse:
        """Set another time for a match that hasn't begun: for organisers and hosts. Its proposals are dropped."""
        values = {"match": str(match), "opens_at": scheduling.opening_time(body.opens_at), "reason": body.reason}
        return acted(request, season_id, query, "set-time", body, **values)


class AbsenceView(SeasonView):
    scopes = {"POST": COMMAND}

    @operation(
        "decideAbsence", tag="Season", body=AbsenceBody, query=TryQuery, headers=KEYED, answers=ACCEPTED,
        problems=refusals(*_OF_MATCH, "nobody_missing", "no_loser"),
    )  # fmt: skip
    def post(self, request: Request, season_id: UUID, match: UUID, query: TryQuery, body: AbsenceBody) -> HttpResponse:
        """Decide about a match for which somebody hasn't checked in: for the season's organisers."""
        loser = str(body.loser) if body.loser else None
        return acted(
            request, season_id, query, "absence", body,
            match=str(match), ruling=body.ruling, loser=loser, reason=body.reason,
        )  # fmt: skip


class DeadlineView(SeasonView):
    scopes = {"POST": COMMAND}

    @operation(
        "extendDecision", tag="Season", body=DeadlineBody, query=TryQuery, headers=KEYED, answers=ACCEPTED,
        problems=refusals("no_episode", "no_decision", "bad_deadline"),
    )  # fmt: skip
    def post(self, request: Request, season_id: UUID, query: TryQuery, body: DeadlineBody) -> HttpResponse:
        """Give the players longer to decide, or time once more: for the season's organisers."""
        until = _instant(body.until)
        return acted(request, season_id, query, "extend-decision", body, until=until, reason=body.reason)


def _instant(at: datetime) -> str:
    return scheduling.opening_time(at) or ""
