"""The animations: an envelope for each submission, which turns over when the round is over."""

from collections.abc import Mapping
from typing import Final

from games.contest import events
from games.contest.events import Defaulted, RoundClosed, Submitted, SubmittedInTurn
from games.kernel import Event, Motion, reveal, still, together

_STILL = (
    events.RolesDrawn, events.RoleDealt, events.TeamsDrawn, events.DeckShuffled, events.HandDealt, events.RoundOpened,
    events.RoundSkipped, events.OrderDrawn, events.Withdrawn, events.ClosedByHost, events.AnswersPublished,
    events.Resolved, events.PointsChanged, events.SecretPointsChanged, events.BalanceChanged,
    events.SecretBalanceChanged, events.Transferred, events.SecretlyTransferred, events.PlayersLeft,
    events.RoundRevealed, events.TieBroken, events.ContestFinished, events.Amended,
)  # fmt: skip

MOTION: Final[Mapping[type[Event], Motion]] = {
    **dict.fromkeys(_STILL, still),
    Submitted: lambda submitted: (reveal(f"choice of {submitted.seat}"),),
    SubmittedInTurn: lambda submitted: (reveal(f"choice of {submitted.seat}"),),
    Defaulted: lambda defaulted: (reveal(f"choice of {defaulted.seat}"),),
    RoundClosed: lambda closed: together(*(reveal(f"choice of {entry.seat}") for entry in closed.entries)),
}
