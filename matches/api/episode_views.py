"""The episodes. What is done in one are declared acts."""

from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request

from matches.api.season_access import SeasonView, season_at, versioned
from matches.api.season_acts import method_of
from matches.api.season_bodies import AtQuery
from matches.http.operations import operation
from matches.seasons.domain.episode_acts import OpenEpisode
from matches.seasons.reads import feed
from matches.seasons.reads.documents import EpisodeList


class EpisodesView(SeasonView):
    open_to_strangers = True

    @operation("listEpisodes", tag="Season", query=AtQuery, answers={200: EpisodeList, 304: None})
    def get(self, request: Request, season_id: UUID, query: AtQuery) -> HttpResponse:
        """List the episodes in order, each with its matches and what may be done next."""
        document = feed.episodes(season_at(request, season_id, query))
        return versioned(request, document, document.version)

    post = method_of(OpenEpisode)
