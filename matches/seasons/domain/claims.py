"""Disputes of a season: what a player claims, and the answer of who runs it. Pure."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from games.kernel import Event, Illegal
from matches.domain.bidi import apart
from matches.seasons.domain.claim_events import (
    CLAIM_EVENTS,
    ClaimAnswered,
    ClaimKind,
    ClaimMade,
    ClaimWithdrawn,
)
from matches.seasons.domain.feature import Feature

ANSWER_WITHIN = timedelta(hours=48)
"""Time for an answer; a claim that waits longer is overdue."""
MOST_OPEN = 5
"""Most open claims of one player."""
MOST_WITHDRAWN = 20
"""Most claims that one player may withdraw in a season: each is stored in its record for ever."""
OF_A_MATCH: tuple[ClaimKind, ...] = ("no_show", "wrong_result")
"""The kinds that are about a match."""
CLAIMS: dict[ClaimKind, str] = {
    "no_show": "a player didn't come",
    "wrong_result": "a result is wrong",
    "broken_rule": "a rule was broken",
    "conduct": "somebody's conduct",
}
"""The words for each kind of claim."""
ClaimStatus = Literal["open", "withdrawn", "upheld", "rejected"]


class Claim(Struct, frozen=True, kw_only=True):
    """A claim and its answer. It stays its player's after a substitution."""

    number: int
    player: str
    kind: ClaimKind
    text: str
    match: str | None
    status: ClaimStatus = "open"
    reason: str = ""
    answered_by: str | None = None


def claimed(claims: tuple[Claim, ...], event: Event) -> tuple[Claim, ...]:
    match event:
        case ClaimMade(number=number, player=player, kind=kind, text=text, match=match):
            return (*claims, Claim(number=number, player=player, kind=kind, text=text, match=match))
        case ClaimWithdrawn(number=number):
            return _with(claims, replace(claims[number - 1], status="withdrawn"))
        case ClaimAnswered(number=number, decision=decision, reason=reason, by=by):
            return _with(claims, replace(claims[number - 1], status=decision, reason=reason, answered_by=by))
        case _:
            return claims


def refuse_claim(claims: Sequence[Claim], player: str, kind: ClaimKind, match: str | None) -> None:
    """Raise claim_needs_match, too_many_claims."""
    if kind in OF_A_MATCH and match is None:
        raise Illegal("claim_needs_match", "Say which match it is about.")
    own = [it.status for it in claims if it.player == player]
    if own.count("open") >= MOST_OPEN:
        raise Illegal("too_many_claims", f"{MOST_OPEN} claims of yours wait for an answer: wait, or withdraw one.")
    if own.count("withdrawn") >= MOST_WITHDRAWN:
        raise Illegal("too_many_claims", f"You have withdrawn {MOST_WITHDRAWN} claims: write to who runs the season.")


def open_claim(claims: Sequence[Claim], number: int) -> Claim:
    """Return an open claim; raise no_such_claim, claim_closed."""
    if not 0 < number <= len(claims):
        raise Illegal("no_such_claim", "The season has no such claim.")
    claim = claims[number - 1]
    if claim.status != "open":
        raise Illegal("claim_closed", "That claim has been answered, or withdrawn.")
    return claim


def _with(claims: tuple[Claim, ...], changed: Claim) -> tuple[Claim, ...]:
    return tuple(changed if it.number == changed.number else it for it in claims)


def _sentence(event: Event, name: Callable[[str], str]) -> str:
    match event:
        case ClaimMade(number=number, player=player, kind=kind, text=text):
            return f"Claim {number} of {name(player)}, {CLAIMS[kind]}: {apart(text)}"
        case ClaimWithdrawn(number=number):
            return f"Claim {number} was withdrawn."
        case ClaimAnswered(number=number, decision=decision, reason=reason, by=by):
            return f"Claim {number} was {decision} by {name(by)}: {apart(reason)}"
        case _:
            return ""


FEATURE: Feature[tuple[Claim, ...]] = Feature(
    "claims",
    CLAIM_EVENTS,
    (),
    claimed,
    _sentence,
    {
        "claim_needs_match": (422, "Which match?", "A claim of this kind names its match in `match`."),
        "too_many_claims": (409, "Too many claims wait", "Wait for an answer, or withdraw one."),
        "no_such_claim": (404, "No such claim", "GET .../claims lists them."),
        "claim_closed": (409, "The claim is closed", "It has been answered, or withdrawn."),
    },
)
