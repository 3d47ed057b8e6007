"""Disputes of a season: players' claims, and the answers."""

from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request

from events import store
from matches.api.season_access import PLAY, READ, SeasonView, visible_season
from matches.api.season_acts import method_of
from matches.api.season_bodies import ClaimsQuery
from matches.http.operations import operation
from matches.http.responses import answer
from matches.seasons.domain.claim_acts import MakeClaim
from matches.seasons.reads import disputes
from matches.seasons.reads.disputes import ClaimList


class ClaimsView(SeasonView):
    open_to_strangers = True
    scopes = {"GET": READ, "POST": PLAY}

    @operation("listClaims", tag="Season", query=ClaimsQuery, answers={200: ClaimList})
    def get(self, request: Request, season_id: UUID, query: ClaimsQuery) -> HttpResponse:
        """List the season's claims with their answers, oldest first, and until when an answer is due; only those of a
        match or an episode if one is named."""
        season = visible_season(request, season_id)
        return answer(disputes.claims(season.id, store.clock(), query.at, match=query.match, episode=query.episode))

    post = method_of(MakeClaim)
