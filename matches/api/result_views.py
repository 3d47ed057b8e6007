"""A main match's results as a table."""

from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request

from matches.api.season_access import COMMAND, KEYED, SeasonView, refusals, under_key, visible_season
from matches.api.season_bodies import ResultRowBody, ResultTableBody, TryQuery
from matches.http.command_headers import idempotency_key
from matches.http.etags import expected_version
from matches.http.operations import operation
from matches.http.problems import Problem, refusal
from matches.http.responses import answer
from matches.seasons import result_sheets, services
from matches.seasons.domain.result_table import ResultRow, TableFaulty
from matches.seasons.domain.state import Season
from matches.seasons.reads.documents import SeasonAccepted
from matches.seasons.result_sheets import Reading, TableRead


class ResultTableView(SeasonView):
    scopes = {"POST": COMMAND}

    @operation(
        "enterResults", tag="Season", body=ResultTableBody, query=TryQuery, headers=KEYED,
        answers={201: SeasonAccepted, 200: TableRead},
        problems=refusals("no_episode", "already_recorded", "tables_running", "bad_table", "table_faulty", "malformed"),
    )  # fmt: skip
    def post(self, request: Request, season_id: UUID, query: TryQuery, body: ResultTableBody) -> HttpResponse:
        """Enter the whole main match as a table, all of it or nothing: for the season's organisers. The best of each
        match have won, the last have lost; garnets and the second token of life that was given away are included.
        `dry_run=1` names each cell that has a fault, and the events that would be recorded."""
        visible_season(request, season_id)
        if (body.rows is None) == (body.text is None):
            raise Problem("malformed", "Send `rows` or `text`, one of the two.")

        def reading(season: Season) -> Reading:
            if body.text is not None:
                return result_sheets.read_text(season, body.text)
            rows = [_row(number, it) for number, it in enumerate(body.rows or (), start=1)]
            return Reading(rows, [], frozenset(row.player for row in rows))

        expected = expected_version(request)
        if query.dry_run:
            return answer(result_sheets.try_table(request.user, season_id, body.name, reading, expected))
        try:
            accepted = services.act(
                season_id=season_id,
                by=request.user,
                decide=result_sheets.entering(body.name, reading),
                key=idempotency_key(request),
                fingerprint=services.fingerprint_of(request.path, body),
                expected=expected,
            )
        except TableFaulty as faulty:
            raise refusal(faulty, cells=faulty.cells) from None
        return under_key(accepted)


def _row(number: int, it: ResultRowBody) -> ResultRow:
    return ResultRow(
        number=number, player=str(it.player), match=it.match.strip(), place=it.place, points=it.points,
        tokens=it.tokens, garnets=it.garnets,
    )  # fmt: skip
