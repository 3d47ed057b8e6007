"""Corrections of an episode: its main match, tokens of life, EC, DMO and bans."""

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
)
from matches.api.season_bodies import (
    BanCorrectionBody,
    MainMatchCorrectionBody,
    PlayerCorrectionBody,
    TryQuery,
)
from matches.http.operations import operation

_OF_EPISODES = ("no_such_episode", "not_recorded", "not_enrolled", "not_living", "too_late")


class CorrectMainMatchView(SeasonView):
    scopes = {"POST": COMMAND}

    @operation(
        "correctMainMatch", tag="Season", body=MainMatchCorrectionBody, query=TryQuery, headers=KEYED,
        answers=ACCEPTED, problems=refusals(*_OF_EPISODES, "bad_result"),
    )  # fmt: skip
    def post(
        self, request: Request, season_id: UUID, number: int, query: TryQuery, body: MainMatchCorrectionBody
    ) -> HttpResponse:
        """Correct the result of an episode's main match, in the open episode or an earlier one: for the season's
        organisers. Wins, rewards and tokens are corrected too, and so are the EC, the DMO and a death match that could
        not have been; each by an event of its own. Send it with `dry_run=1` first to read them all."""
        rewards = body.rewards
        return acted(
            request, season_id, query, "correct-main-match", body,
            episode=number, winners=account_ids(body.winners), candidates=account_ids(body.candidates),
            rewards=None if rewards is None else {account_named(it): amount for it, amount in rewards.items()},
            reason=body.reason,
        )  # fmt: skip


class CorrectTokenView(SeasonView):
    scopes = {"POST": COMMAND}

    @operation(
        "correctToken", tag="Season", body=PlayerCorrectionBody, query=TryQuery, headers=KEYED, answers=ACCEPTED,
        problems=refusals(*_OF_EPISODES, "no_token_to_give", "has_token"),
    )  # fmt: skip
    def post(
        self, request: Request, season_id: UUID, number: int, query: TryQuery, body: PlayerCorrectionBody
    ) -> HttpResponse:
        """Correct who got the sole winner's second token of life: for the season's organisers."""
        return _about(request, season_id, number, query, "correct-token", body)


class CorrectCandidateView(SeasonView):
    scopes = {"POST": COMMAND}

    @operation(
        "correctCandidate", tag="Season", body=PlayerCorrectionBody, query=TryQuery, headers=KEYED, answers=ACCEPTED,
        problems=refusals(
            *_OF_EPISODES, "no_candidate", "token_not_given", "has_token", "not_a_candidate", "bad_result"
        ),
    )  # fmt: skip
    def post(
        self, request: Request, season_id: UUID, number: int, query: TryQuery, body: PlayerCorrectionBody
    ) -> HttpResponse:
        """Correct who is, or was, the EC: for the season's organisers. DMO, bans and death match of the wrong one are
        reversed; if it has counted, its loser is back, and the season's latest episode goes on."""
        return _about(request, season_id, number, query, "correct-candidate", body)


class CorrectOpponentView(SeasonView):
    scopes = {"POST": COMMAND}

    @operation(
        "correctOpponent", tag="Season", body=PlayerCorrectionBody, query=TryQuery, headers=KEYED, answers=ACCEPTED,
        problems=refusals(
            *_OF_EPISODES, "no_candidate", "no_opponent", "token_not_given", "has_token", "same_player", "bad_result"
        ),
    )  # fmt: skip
    def post(
        self, request: Request, season_id: UUID, number: int, query: TryQuery, body: PlayerCorrectionBody
    ) -> HttpResponse:
        """Correct who is, or was, the DMO: for the season's organisers. The consequences are as for the EC."""
        return _about(request, season_id, number, query, "correct-opponent", body)


class CorrectBanView(SeasonView):
    scopes = {"POST": COMMAND}

    @operation(
        "correctBan", tag="Season", body=BanCorrectionBody, query=TryQuery, headers=KEYED, answers=ACCEPTED,
        problems=refusals("no_such_episode", "not_recorded", "no_such_ban", "game_not_in_pool", "game_banned",
                          "too_late"),
    )  # fmt: skip
    def post(
        self, request: Request, season_id: UUID, number: int, query: TryQuery, body: BanCorrectionBody
    ) -> HttpResponse:
        """Correct which game EC or DMO has struck, or that it was none: for the season's organisers. A death match of a
        game that was struck doesn't count."""
        return acted(
            request, season_id, query, "correct-ban", body,
            episode=number, player=str(body.player), game=body.game, instead=body.instead, reason=body.reason,
        )  # fmt: skip


def _about(
    request: Request, season_id: UUID, number: int, query: TryQuery, name: str, body: PlayerCorrectionBody
) -> HttpResponse:
    return acted(request, season_id, query, name, body, episode=number, player=str(body.player), reason=body.reason)
