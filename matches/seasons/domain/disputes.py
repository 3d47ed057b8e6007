"""The acts of a dispute: to claim, to withdraw a claim, to answer it. At any time, also after the season. Pure."""

from collections.abc import Sequence

from games.kernel import Event, Illegal
from matches.seasons.domain import claims
from matches.seasons.domain.claim_events import ClaimAnswered, ClaimDecision, ClaimKind, ClaimMade, ClaimWithdrawn
from matches.seasons.domain.deciding import Caller, match_of, refuse_unless_running_it
from matches.seasons.domain.state import Season


def claim(season: Season, by: Caller, kind: ClaimKind, text: str, match: str | None = None) -> Sequence[Event]:
    """A player, or a former one, claims something; raises forbidden, not_in_season, claim_needs_match,
    too_many_claims."""
    if by.account not in season.players:
        raise Illegal("forbidden", "That is for the players of the season, and former ones.")
    if match is not None:
        match_of(season, match)
    claims.refuse_claim(season.claims, by.account, kind, match)
    return [ClaimMade(number=len(season.claims) + 1, player=by.account, kind=kind, text=text, match=match)]


def withdraw_claim(season: Season, by: Caller, number: int) -> Sequence[Event]:
    """Its player thinks better of it; raises no_such_claim, claim_closed, forbidden."""
    if claims.open_claim(season.claims, number).player != by.account:
        raise Illegal("forbidden", "That is for whoever made the claim.")
    return [ClaimWithdrawn(number=number)]


def answer_claim(season: Season, by: Caller, number: int, decision: ClaimDecision, reason: str) -> Sequence[Event]:
    """An organiser or host answers; what follows from it is an act of its own. Raises forbidden, plays_here,
    no_such_claim, claim_closed."""
    refuse_unless_running_it(by)
    claims.open_claim(season.claims, number)
    return [ClaimAnswered(number=number, decision=decision, reason=reason, by=by.account)]
