"""Episodes and the results of their main matches. Tokens, EC, DMO and bans are declared acts."""

from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request

from matches.api.season_access import (
    ACCEPTED,
    COMMAND,
    KEYED,
    SeasonView,
    account_ids,
    account_named,
    acted,
    refusals,
    season_at,
    told,
)
from matches.api.season_acts import method_of
from matches.api.season_bodies import (
    AtQuery,
    MainMatchBody,
    TryQuery,
)
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
        return told(request, document, document.version)

    post = method_of(OpenEpisode)


class MainMatchesView(SeasonView):
    scopes = {"POST": COMMAND}

    @operation(
        "recordMainMatch", tag="Season", body=MainMatchBody, query=TryQuery, headers=KEYED, answers=ACCEPTED,
        problems=refusals(
            "no_episode", "already_recorded", "tables_running", "bad_result", "not_enrolled", "not_living",
        ),
    )  # fmt: skip
    def post(self, request: Request, season_id: UUID, query: TryQuery, body: MainMatchBody) -> HttpResponse:
        """Record who won the main match and who lost it, as entered or as its tables ended. Tokens and rewards follow;
        if only one player can be the EC, they are named."""
        winners, candidates = account_ids(body.winners), account_ids(body.candidates)
        rewards = {account_named(player): amount for player, amount in body.rewards.items()}
        return acted(
            request, season_id, query, "main-match", body,
            name=body.name, winners=winners, candidates=candidates, rewards=rewards,
        )  # fmt: skip
