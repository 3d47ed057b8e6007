"""An episode's steps: main match, tokens of life, EC, DMO, bans."""

from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request

from matches.api.season_access import (
    ACCEPTED,
    COMMAND,
    KEYED,
    PLAY,
    SeasonView,
    account_ids,
    account_named,
    acted,
    refusals,
    season_at,
    told,
)
from matches.api.season_bodies import (
    AtQuery,
    BanBody,
    EpisodeBody,
    MainMatchBody,
    PlayerBody,
    TryQuery,
    WhyBody,
)
from matches.http.operations import operation
from matches.seasons.reads import feed
from matches.seasons.reads.documents import EpisodeList


class EpisodesView(SeasonView):
    """The episodes."""

    open_to_strangers = True

    @operation("listEpisodes", tag="Season", query=AtQuery, answers={200: EpisodeList, 304: None})
    def get(self, request: Request, season_id: UUID, query: AtQuery) -> HttpResponse:
        """The episodes in order, each with its matches and what may be done next."""
        document = feed.episodes(season_at(request, season_id, query))
        return told(request, document, document.version)

    @operation(
        "openEpisode", tag="Season", body=EpisodeBody, query=TryQuery, headers=KEYED, answers=ACCEPTED,
        problems=refusals("episode_open", "final_open", "final_due", "too_few_players"),
    )  # fmt: skip
    def post(self, request: Request, season_id: UUID, query: TryQuery, body: EpisodeBody) -> HttpResponse:
        """Open the next episode: for the season's organisers."""
        return acted(request, season_id, query, "open-episode", body, title=body.title)


class CloseEpisodeView(SeasonView):
    """An episode without an elimination."""

    scopes = {"POST": COMMAND}

    @operation(
        "closeEpisode", tag="Season", body=WhyBody, query=TryQuery, headers=KEYED, answers=ACCEPTED,
        problems=refusals("no_episode", "match_open"),
    )  # fmt: skip
    def post(self, request: Request, season_id: UUID, query: TryQuery, body: WhyBody) -> HttpResponse:
        """Close the open episode though nobody was eliminated: for the season's organisers."""
        return acted(request, season_id, query, "close-episode", body, reason=body.reason)


class MainMatchesView(SeasonView):
    """The main match's result."""

    scopes = {"POST": COMMAND}

    @operation(
        "recordMainMatch", tag="Season", body=MainMatchBody, query=TryQuery, headers=KEYED, answers=ACCEPTED,
        problems=refusals(
            "no_episode", "already_recorded", "tables_running", "bad_result", "not_enrolled", "not_living",
        ),
    )  # fmt: skip
    def post(self, request: Request, season_id: UUID, query: TryQuery, body: MainMatchBody) -> HttpResponse:
        """Record who won the main match and who lost it, as it was typed in or as its tables ended. Tokens and
        rewards follow; where only one player is left to be the EC, they are named."""
        winners, candidates = account_ids(body.winners), account_ids(body.candidates)
        rewards = {account_named(player): amount for player, amount in body.rewards.items()}
        return acted(
            request, season_id, query, "main-match", body,
            name=body.name, winners=winners, candidates=candidates, rewards=rewards,
        )  # fmt: skip


class TokensView(SeasonView):
    """Tokens of life."""

    scopes = {"POST": PLAY}

    @operation(
        "giveToken", tag="Season", body=PlayerBody, query=TryQuery, headers=KEYED, answers=ACCEPTED,
        problems=refusals(
            "no_episode", "no_token_to_give", "not_enrolled", "not_living", "has_token", "deadline_passed"
        ),
    )  # fmt: skip
    def post(self, request: Request, season_id: UUID, query: TryQuery, body: PlayerBody) -> HttpResponse:
        """Give the second token of life away: for the main match's sole winner, or an organiser for them."""
        return acted(request, season_id, query, "token", body, player=str(body.player))


class CandidatesView(SeasonView):
    """The EC."""

    scopes = {"POST": PLAY}

    @operation(
        "nameCandidate", tag="Season", body=PlayerBody, query=TryQuery, headers=KEYED, answers=ACCEPTED,
        problems=refusals(
            "no_episode", "not_recorded", "token_not_given", "candidate_named", "nobody_left", "not_enrolled",
            "not_living", "has_token", "not_a_candidate", "deadline_passed",
        ),
    )  # fmt: skip
    def post(self, request: Request, season_id: UUID, query: TryQuery, body: PlayerBody) -> HttpResponse:
        """Name the EC: for the main match's winners, or an organiser."""
        return acted(request, season_id, query, "candidate", body, player=str(body.player))


class OpponentsView(SeasonView):
    """The DMO."""

    scopes = {"POST": PLAY}

    @operation(
        "nameOpponent", tag="Season", body=PlayerBody, query=TryQuery, headers=KEYED, answers=ACCEPTED,
        problems=refusals(
            "no_episode", "no_candidate", "opponent_named", "nobody_left", "not_enrolled", "not_living", "same_player",
            "has_token", "deadline_passed",
        ),
    )  # fmt: skip
    def post(self, request: Request, season_id: UUID, query: TryQuery, body: PlayerBody) -> HttpResponse:
        """Name the DMO: for the EC, or an organiser for them."""
        return acted(request, season_id, query, "opponent", body, player=str(body.player))


class BansView(SeasonView):
    """Bans."""

    scopes = {"POST": PLAY}

    @operation(
        "banGame", tag="Season", body=BanBody, query=TryQuery, headers=KEYED, answers=ACCEPTED,
        problems=refusals(
            "no_episode", "no_candidate", "no_opponent", "match_open", "no_bans_left", "game_not_in_pool",
            "game_banned", "deadline_passed",
        ),
    )  # fmt: skip
    def post(self, request: Request, season_id: UUID, query: TryQuery, body: BanBody) -> HttpResponse:
        """Strike a game from this death match's pool: for the EC and the DMO."""
        return acted(request, season_id, query, "ban", body, game=body.game)
