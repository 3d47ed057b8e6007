"""Commands as short text and back, events as English sentences."""

import re
from collections.abc import Sequence

from games.kernel import Command, Event, FlagFallen, Illegal, Resign, Resigned
from games.pyramid_poker.commands import Assign, ChooseFirst, Draw, Place
from games.pyramid_poker.events import (
    BrickAssigned,
    BrickDealt,
    BrickDrawn,
    BrickPlaced,
    ConstructionFinished,
    FirstChosen,
    HandResult,
    HandsCompared,
)
from games.pyramid_poker.pieces import spoken
from games.pyramid_poker.state import State

_WRITTEN = re.compile(
    r"first (?P<first>\d{1,3}|me|you)"
    r"|(?P<verb>place |draw )?(?P<cell>[a-z]\d{1,2})"
    r"|(?:hand )?(?P<hand>\d{1,3})",
    re.ASCII,
)
_EXAMPLES = {
    "choice": "Write first me, first you, or first with a seat's number.",
    "construction": "Write place and a space: place C3.",
    "deconstruction": "Write draw and a space to take its brick, then hand and a number: draw C3, hand 2.",
    "over": "The match is over.",
}


def parse(state: State, seat: int, text: str) -> Command:
    """Parse `first me`, `place C3`, `draw C3`, `hand 2` or `resign`; raise Illegal("malformed").

    A bare `C3` is a place or a draw depending on the phase; a bare `2` is a hand.
    """
    written = " ".join(text.lower().split())
    if written == "resign":
        return Resign()
    match = _WRITTEN.fullmatch(written)
    if match is None:
        raise Illegal("malformed", _EXAMPLES[state.phase])
    if match["first"]:
        return ChooseFirst(_seat_called(match["first"], seat))
    if match["hand"]:
        return Assign(int(match["hand"]))
    places = match["verb"] == "place " or (not match["verb"] and state.phase != "deconstruction")
    return (Place if places else Draw)(match["cell"].upper())


def _seat_called(word: str, seat: int) -> int:
    return {"me": seat, "you": 1 - seat}[word] if word in ("me", "you") else int(word)


def form(command: Command) -> str:
    """Return the short text of a command, as `parse` reads it."""
    match command:
        case ChooseFirst(seat=seat):
            return f"first {seat}"
        case Place(cell=cell):
            return f"place {cell}"
        case Draw(cell=cell):
            return f"draw {cell}"
        case Assign(hand=hand):
            return f"hand {hand}"
        case _:
            return "resign"


def sentence(event: Event, names: Sequence[str]) -> str:
    """Describe an event in a sentence for people; a redacted brick is a hidden one."""
    match event:
        case FirstChosen(seat=seat):
            return f"{names[seat]} starts."
        case BrickDealt(seat=seat, brick=brick):
            return f"{names[seat]} gets {'a brick' if brick is None else f'the {spoken(brick)}'} from the bag."
        case BrickPlaced(seat=seat, cell=cell):
            return f"{names[seat]} places the brick on {cell}."
        case ConstructionFinished():
            return "The pyramid stands; now it is taken down."
        case BrickDrawn(seat=seat, cell=cell, brick=brick):
            return f"{names[seat]} draws the {spoken(brick)} from {cell}."
        case BrickAssigned(seat=seat, hand=hand):
            return f"{names[seat]} puts it into hand {hand}."
        case HandsCompared(hands=hands, wins=wins):
            return f"{' '.join(_compared(hand, names) for hand in hands)} Hands won: {wins[0]}-{wins[1]}."
        case Resigned(seat=seat):
            return f"{names[seat]} resigns."
        case FlagFallen(seat=seat):
            return f"{names[seat]}'s time runs out."
        case _:
            return ""


def _compared(result: HandResult, names: Sequence[str]) -> str:
    left, right = (category.replace("_", " ") for category in result.categories)
    won = "a tie" if result.winner is None else f"{names[result.winner]} wins it"
    return f"Hand {result.hand}: {left} against {right}, {won}."
