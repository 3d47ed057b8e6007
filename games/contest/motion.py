"""The animations: a seat that has submitted turns over; when the round is over, envelopes open and bars grow."""

from collections.abc import Mapping
from typing import Final

from games.contest import events
from games.contest.events import Defaulted, PlayersLeft, RoundClosed, Submitted, SubmittedInTurn
from games.kernel import Event, Motion, grow, reveal, still, together

_STILL = (
    events.RolesDrawn, events.RoleDealt, events.TeamsDrawn, events.DeckShuffled, events.HandDealt, events.RoundOpened,
    events.RoundSkipped, events.OrderDrawn, events.Withdrawn, events.ClosedByHost, events.AnswersPublished,
    events.Resolved, events.PointsChanged, events.SecretPointsChanged, events.BalanceChanged,
    events.SecretBalanceChanged, events.Transferred, events.SecretlyTransferred, events.RoundRevealed,
    events.TieBroken, events.ContestFinished, events.Amended,
)  # fmt: skip

MOTION: Final[Mapping[type[Event], Motion]] = {
    **dict.fromkeys(_STILL, still),
    Submitted: lambda submitted: (reveal(f"seat {submitted.seat}"),),
    SubmittedInTurn: lambda submitted: (reveal(f"seat {submitted.seat}"),),
    Defaulted: lambda defaulted: (reveal(f"seat {defaulted.seat}"),),
    RoundClosed: lambda closed: together(
        grow("bars"), *(reveal(f"choice of {entry.seat}") for entry in closed.entries)
    ),
    PlayersLeft: lambda gone: together(*(reveal(f"seat {seat}") for seat in gone.seats)),
}
