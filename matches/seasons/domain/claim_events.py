"""Events of claims: one class for each fact. They are stored for ever."""

from typing import Literal

from games.kernel import Event, Public

ClaimKind = Literal["no_show", "wrong_result", "broken_rule", "conduct"]
ClaimDecision = Literal["upheld", "rejected"]


class ClaimMade(Event, frozen=True):
    """A player, or a former one, asks who runs the season to look at something; of a match, or of the season."""

    number: Public[int]
    player: Public[str]
    kind: Public[ClaimKind]
    text: Public[str]
    match: Public[str | None] = None


class ClaimWithdrawn(Event, frozen=True):
    """A claim's withdrawal by its player."""

    number: Public[int]


class ClaimAnswered(Event, frozen=True):
    """An organiser or host has looked at it; `by` is who."""

    number: Public[int]
    decision: Public[ClaimDecision]
    reason: Public[str]
    by: Public[str]


CLAIM_EVENTS: tuple[type[Event], ...] = (ClaimMade, ClaimWithdrawn, ClaimAnswered)
