"""The episodes. What is done in one are declared acts."""

from uuid import UUID

from django.http import HttpResponse
from msgspec.structs import replace
from rest_framework.request import Request

from matches.api.season_access import SeasonView, in_tables, season_at, tabular
from matches.api.season_acts import method_of
from matches.api.season_bodies import EpisodesQuery
from matches.domain.tables import Table
from matches.http.operations import operation
from matches.seasons.domain.episode_acts import OpenEpisode
from matches.seasons.reads import feed, tables
from matches.seasons.reads.documents import EpisodeList


class EpisodesView(SeasonView):
    open_to_strangers = True

    @operation("listEpisodes", tag="Season", query=EpisodesQuery, answers=in_tables(EpisodeList),
               problems=("too_many_rows",))  # fmt: skip
    def get(self, request: Request, season_id: UUID, query: EpisodesQuery) -> HttpResponse:
        """List the episodes in order, each with its matches and what may be done next. `Accept: text/csv`, or the type
        of XLSX, makes it a table for spreadsheets: the results of the main matches, player by player."""
        state = season_at(request, season_id, query)
        document = feed.episodes(state)
        if query.episode is not None:
            document = replace(document, results=[it for it in document.results if it.number == query.episode])

        def table() -> Table:
            garnets = feed.main_match_garnets(season_id, state.version)
            return tables.results(document.results, garnets, feed.names_in(state))

        return tabular(request, season_id, document, document.version, table)

    post = method_of(OpenEpisode)
