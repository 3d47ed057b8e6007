"""The animations: an envelope for each submission, which turns over when the round is over."""

from collections.abc import Mapping
from typing import Final

from games.contest.events import Defaulted, RoundClosed, Submitted, SubmittedInTurn
from games.kernel import Event, Motion, reveal, together

MOTION: Final[Mapping[type[Event], Motion]] = {
    Submitted: lambda submitted: (reveal(f"choice of {submitted.seat}"),),
    SubmittedInTurn: lambda submitted: (reveal(f"choice of {submitted.seat}"),),
    Defaulted: lambda defaulted: (reveal(f"choice of {defaulted.seat}"),),
    RoundClosed: lambda closed: together(*(reveal(f"choice of {entry.seat}") for entry in closed.entries)),
}
