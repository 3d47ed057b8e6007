"""Display names of players in a season."""

from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request

from matches.api.season_access import ACCEPTED, COMMAND, KEYED, Preview, SeasonView, refusals, under_key, visible_season
from matches.api.season_bodies import DisplayNameBody, TryQuery
from matches.http.command_headers import idempotency_key
from matches.http.etags import expected_version
from matches.http.operations import operation
from matches.http.responses import answer
from matches.seasons import services
from matches.seasons.naming import Renaming


class DisplayNameView(SeasonView):
    scopes = {"POST": COMMAND}

    @operation(
        "renamePlayer", tag="Season", body=DisplayNameBody, query=TryQuery, headers=KEYED, answers=ACCEPTED,
        problems=refusals("not_enrolled", "nothing_to_change", "bad_name", "name_taken"),
    )  # fmt: skip
    def post(
        self, request: Request, season_id: UUID, player: UUID, query: TryQuery, body: DisplayNameBody
    ) -> HttpResponse:
        """Change a player's display name in this season: for the season's organisers. Its pages and documents (`called`
        of a standing) show the new name, its log the name at each time. The name is stored outside the record, and is
        deleted with the account."""
        visible_season(request, season_id)
        expected = expected_version(request)
        key = "a dry run" if query.dry_run else idempotency_key(request)
        renaming = Renaming(season_id, request.user, key, str(player), body.name or "", body.reason)
        if query.dry_run:
            preview = services.preview(
                season_id=season_id, by=request.user, decide=renaming.decide, expected=expected, called=renaming.called
            )
            return answer(Preview(preview.version, [event.text for event in preview.events]))
        accepted = services.act(
            season_id=season_id,
            by=request.user,
            decide=renaming.decide,
            key=key,
            fingerprint=services.fingerprint_of(request.path, body),
            expected=expected,
            beside=renaming.beside,
            called=renaming.called,
        )
        return under_key(accepted)
