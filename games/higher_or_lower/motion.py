"""The animations: boards come into play, cards turn over, and points count.

Assignments have none: the seat sees its own input, and the others may not see it.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from games.higher_or_lower.events import (
    BoardChosen,
    BoardDealt,
    CardFlipped,
    CardGuessed,
    ColourChosen,
    GroupAssigned,
    GroupsFilled,
    GroupWithdrawn,
    LockedIn,
    RoundFinished,
    TurnEnded,
)
from games.higher_or_lower.pieces import space_name
from games.kernel import Event, Motion, Step, count, reveal, still


def _turns_up(event: CardFlipped | CardGuessed) -> Sequence[Step]:
    return (reveal(space_name(event.row, event.col)),)


def _called(guessed: CardGuessed) -> Sequence[Step]:
    """Turn the card over, then count the point of a right call."""
    return (*_turns_up(guessed), *((count(f"points {guessed.seat}"),) if guessed.correct else ()))


MOTION: Final[Mapping[type[Event], Motion]] = {
    ColourChosen: still,
    GroupAssigned: still,
    GroupWithdrawn: still,
    LockedIn: still,
    GroupsFilled: still,
    BoardDealt: lambda dealt: (reveal(dealt.board),),
    BoardChosen: lambda chosen: (reveal(chosen.board),),
    CardFlipped: _turns_up,
    CardGuessed: _called,
    TurnEnded: still,
    RoundFinished: lambda finished: (reveal(finished.board),),
}
