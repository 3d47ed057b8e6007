"""Disputes of a season: players' claims, and the answers."""

from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request

from events import store
from matches.api.season_access import ACCEPTED, COMMAND, KEYED, PLAY, READ, SeasonView, acted, refusals, season_seen
from matches.api.season_bodies import ClaimAnswerBody, ClaimBody, ClaimsQuery, TryQuery
from matches.http.operations import operation
from matches.http.responses import answer
from matches.seasons.reads import disputes
from matches.seasons.reads.disputes import ClaimList


class ClaimsView(SeasonView):
    open_to_strangers = True
    scopes = {"GET": READ, "POST": PLAY}

    @operation("listClaims", tag="Season", query=ClaimsQuery, answers={200: ClaimList})
    def get(self, request: Request, season_id: UUID, query: ClaimsQuery) -> HttpResponse:
        """List the season's claims with their answers, oldest first, and until when an answer is due; only those of a
        match or an episode if one is named."""
        season = season_seen(request, season_id)
        return answer(disputes.claims(season.id, store.clock(), query.at, match=query.match, episode=query.episode))

    @operation(
        "makeClaim", tag="Season", body=ClaimBody, query=TryQuery, headers=KEYED, answers=ACCEPTED,
        problems=refusals("not_in_season", "claim_needs_match", "too_many_claims"),
    )  # fmt: skip
    def post(self, request: Request, season_id: UUID, query: TryQuery, body: ClaimBody) -> HttpResponse:
        """Claim that somebody didn't come, a result is wrong, a rule was broken, or somebody misbehaved: for players
        and former ones. It is part of the record."""
        match = str(body.match) if body.match else None
        return acted(request, season_id, query, "claim", body, kind=body.kind, text=body.text, match=match)


class WithdrawClaimView(SeasonView):
    scopes = {"POST": PLAY}

    @operation(
        "withdrawClaim", tag="Season", query=TryQuery, headers=KEYED, answers=ACCEPTED,
        problems=refusals("no_such_claim", "claim_closed"),
    )  # fmt: skip
    def post(self, request: Request, season_id: UUID, number: int, query: TryQuery) -> HttpResponse:
        """Withdraw a claim that waits for an answer: for its author."""
        return acted(request, season_id, query, "withdraw-claim", number=number)


class AnswerClaimView(SeasonView):
    scopes = {"POST": COMMAND}

    @operation(
        "answerClaim", tag="Season", body=ClaimAnswerBody, query=TryQuery, headers=KEYED, answers=ACCEPTED,
        problems=refusals("no_such_claim", "claim_closed"),
    )  # fmt: skip
    def post(
        self, request: Request, season_id: UUID, number: int, query: TryQuery, body: ClaimAnswerBody
    ) -> HttpResponse:
        """Uphold or reject a claim, with a reason: for organisers and hosts. Consequences are acts of their own."""
        return acted(
            request, season_id, query, "answer-claim", body, number=number, decision=body.decision, reason=body.reason
        )
