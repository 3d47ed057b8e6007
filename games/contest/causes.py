"""The commands that may have caused recorded events: a record holds events alone."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from games.contest.commands import Amend, Close, Resolve, Submit, Withdraw
from games.contest.events import (
    Amended,
    ClosedByHost,
    PointsChanged,
    Resolved,
    SecretPointsChanged,
    Submitted,
    SubmittedInTurn,
    Withdrawn,
)
from games.contest.state import State
from games.kernel import Command, Event, Witness


def causes(state: State, seat: Witness, events: Sequence[Event]) -> Iterator[Command]:
    """Yield the command of a seat, or of HOST, that would cause these events; none whose fields they name."""
    match events[0]:
        case Submitted(values=values) | SubmittedInTurn(values=values):
            yield Submit(state.number, values or {})
        case Withdrawn():
            yield Withdraw(state.number)
        case ClosedByHost():
            yield Close(state.number)
        case Resolved(text=text):
            yield Resolve(len(state.played), _points(state, events), str(text))
        case Amended(rounds=rounds, reason=reason):
            yield Amend(replace(state.options.content, rounds=rounds), str(reason))


def _points(state: State, events: Sequence[Event]) -> dict[str | int, int]:
    """Return the points that a judgement gave; penalties of defaults were taken off."""
    changes = dict.fromkeys((entry.seat for entry in state.played[-1].entries), 0)
    for event in events:
        match event:
            case PointsChanged(points=points):
                changes |= {seat: points[seat] for seat in changes}
            case SecretPointsChanged(seat=seat, points=change) if seat in changes:
                changes[seat] = change or 0
    penalty = state.round.default.penalty
    gains = {seat: change + penalty * (seat in state.defaulted) for seat, change in changes.items()}
    return {str(seat): gain for seat, gain in gains.items() if gain}
