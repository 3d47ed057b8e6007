"""Commands as short text and back, events as English sentences."""

import re
from collections.abc import Callable, Sequence

from games.higher_or_lower.commands import (
    AssignGroup,
    ChooseBoard,
    ChooseColour,
    Flip,
    Guess,
    LockIn,
    Stop,
    WithdrawGroup,
)
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
from games.higher_or_lower.pieces import (
    CALLS,
    DIRECTIONS,
    SHAPES,
    Call,
    Direction,
    Shape,
    space_name,
    spoken,
    spoken_cards,
)
from games.higher_or_lower.state import State
from games.kernel import Command, Event, FlagFallen, Illegal, Resign, Resigned

EXAMPLES = (
    "Write, for example, `colour cyan`, `assign A circle A1 A2 A3`, `withdraw A circle`, `lock`, "
    "`board C first`, `flip c3`, `N H`, `stop` or `resign`."
)
_DIRECTION: dict[str, Direction] = {name: way for way in DIRECTIONS for name in (way, way[0])}
_CALL: dict[str, Call] = {name: call for call in CALLS for name in (call, call[0])}
_SHAPE: dict[str, Shape] = {name: shape for shape in SHAPES for name in (shape, shape[0])}

_DIRECTIONS, _CALLS, _SHAPES = "|".join(_DIRECTION), "|".join(_CALL), "|".join(_SHAPE)
_READERS: dict[str, Callable[[re.Match[str]], Command]] = {
    r"colou?r (cyan|pink)": lambda m: ChooseColour(m[1]),  # type: ignore[arg-type]
    rf"assign (\w+) ({_SHAPES})((?: \w+)*)": lambda m: AssignGroup(
        m[1].upper(), _SHAPE[m[2]], tuple(m[3].upper().split())
    ),
    rf"withdraw (\w+) ({_SHAPES})": lambda m: WithdrawGroup(m[1].upper(), _SHAPE[m[2]]),
    r"lock(?: in)?": lambda m: LockIn(),
    r"board (\w+) (first|second)": lambda m: ChooseBoard(m[1].upper(), m[2]),  # type: ignore[arg-type]
    r"flip ([a-e])([1-5])": lambda m: Flip(int(m[2]), "abcde".index(m[1]) + 1),
    rf"({_DIRECTIONS}) ({_CALLS})": lambda m: Guess(_DIRECTION[m[1]], _CALL[m[2]]),
    r"stop": lambda m: Stop(),
    r"resign": lambda m: Resign(),
}


def parse(state: State, seat: int, text: str) -> Command:
    """Parse a command from its text; raise Illegal("malformed") with examples."""
    plain = " ".join(text.lower().split())
    for pattern, read in _READERS.items():
        match = re.fullmatch(pattern, plain)
        if match:
            return read(match)
    raise Illegal("malformed", EXAMPLES)


def form(command: Command) -> str:
    """Return the short text of a command, as `parse` reads it."""
    match command:
        case ChooseColour(colour=colour):
            return f"colour {colour}"
        case AssignGroup(board=board, shape=shape, cards=cards):
            return " ".join(("assign", board, shape, *cards))
        case WithdrawGroup(board=board, shape=shape):
            return f"withdraw {board} {shape}"
        case LockIn():
            return "lock"
        case ChooseBoard(board=board, order=order):
            return f"board {board} {order}"
        case Flip(row=row, col=col):
            return f"flip {space_name(row, col)}"
        case Guess(direction=direction, call=call):
            return f"{direction[0].upper()} {call[0].upper()}"
        case Stop():
            return "stop"
        case _:
            return "resign"


_ENDINGS = {
    "wrong": "{}'s turn ends with that.",
    "limit": "{} has turned eight cards; the turn ends.",
    "stuck": "No card lies face down beside it; {}'s turn ends.",
    "stopped": "{} stops.",
    "flag": "{}'s turn ends.",
}


def sentence(event: Event, names: Sequence[str]) -> str:
    """Describe an event in a sentence for people; redacted fields are called hidden."""
    match event:
        case ColourChosen(seat=seat, colour=colour):
            return f"{names[seat]} takes {colour}."
        case GroupAssigned(seat=seat, cards=None):
            return f"{names[seat]} assigns a hidden group."
        case GroupAssigned(seat=seat, board=board, shape=shape, cards=cards, completable=completable):
            warning = "" if completable else " The other groups can't all be filled any more."
            return f"{names[seat]} assigns {spoken_cards(cards or ())} to the {shape}s of board {board}.{warning}"
        case GroupWithdrawn(seat=seat, board=None):
            return f"A hidden group of {names[seat]}'s is withdrawn."
        case GroupWithdrawn(seat=seat, board=board, shape=shape):
            return f"{names[seat]}'s {shape}s of board {board} are withdrawn."
        case LockedIn(seat=seat):
            return f"{names[seat]} locks in."
        case GroupsFilled(seat=seat, groups=None):
            return f"The dealer fills {names[seat]}'s missing groups with hidden cards."
        case GroupsFilled(seat=seat, groups=groups):
            cards_by_group = ". ".join(f"Board {g.board}, {g.shape}s: {spoken_cards(g.cards)}" for g in groups or ())
            return f"The dealer fills {names[seat]}'s missing groups. {cards_by_group}."
        case BoardDealt(board=board, cards=None):
            return f"Board {board} is dealt face down."
        case BoardDealt(board=board, cards=cards):
            rows = ". ".join(f"Row {at}: {', '.join(map(spoken, row))}" for at, row in enumerate(cards or (), 1))
            return f"Board {board} is dealt. {rows}."
        case BoardChosen(seat=seat, board=board, order=order):
            return f"{names[seat]} chooses board {board} and goes {order}."
        case CardFlipped(seat=seat, row=row, col=col, card=card):
            return f"{names[seat]} turns grey {space_name(row, col)}: {spoken(card)}."
        case CardGuessed(seat=seat, row=row, col=col, call=call, card=card, correct=correct):
            verdict = "right" if correct else "wrong"
            return f"{names[seat]} calls {space_name(row, col)} {call}: {spoken(card)}, {verdict}."
        case TurnEnded(seat=seat, reason=reason):
            return _ENDINGS[reason].format(names[seat])
        case RoundFinished(board=board, points=points, winner=winner):
            return f"{names[winner]} wins board {board}, {points[winner]} to {points[1 - winner]}."
        case Resigned(seat=seat):
            return f"{names[seat]} resigns."
        case FlagFallen(seat=seat):
            return f"{names[seat]}'s time is up."
        case _:
            return ""
