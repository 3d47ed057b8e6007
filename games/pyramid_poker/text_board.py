"""The board as text, for a terminal or a screen reader."""

from collections.abc import Iterator

from games.kernel import Witness
from games.pyramid_poker.pieces import HAND_SIZE
from games.pyramid_poker.pyramid import pyramid_of
from games.pyramid_poker.rules import exposed, open_spaces, outcome
from games.pyramid_poker.state import State

_WIDTH = 6


def text_board(state: State, witness: Witness) -> str:
    """Return the pyramid from its top, then both seats' hands; an unknown brick is a question mark."""
    return "\n".join((_status(state), "", *_pyramid(state), "", _legend(state), "", *_hands(state, witness)))


def _status(state: State) -> str:
    if outcome(state) is not None:
        return f"The match is over; hands won {state.wins[0]}-{state.wins[1]}."
    if state.turn is None:
        return f"Seat {state.priority} chooses who starts."
    does = "draws a brick"
    if state.held is not None:
        then = "places it" if state.phase == "construction" else "puts it into a hand"
        does = f"holds {state.held.brick or 'a hidden brick'} and {then}"
    return f"Seat {state.turn} {does}. Bricks standing: {len(state.spaces)}."


def _pyramid(state: State) -> Iterator[str]:
    rows = pyramid_of(state.options.base).rows
    free = set(exposed(state) if state.phase == "deconstruction" else open_spaces(state))
    for height, row in reversed(tuple(enumerate(rows))):
        spaces = "".join(_space(state, cell, cell in free) for cell in row)
        yield f"{row[0][0]}  {' ' * (height * _WIDTH // 2)}{spaces}".rstrip()
    yield f"   {''.join(str(column).center(_WIDTH) for column in range(1, len(rows) + 1))}".rstrip()


def _space(state: State, cell: str, free: bool) -> str:
    standing = state.spaces.get(cell)
    if standing is None:
        return ("+" if free and state.phase == "construction" else ".").center(_WIDTH)
    face = (standing.brick or "?").center(3)
    return f"({face})".center(_WIDTH) if free else f"[{face}]".center(_WIDTH)


def _legend(state: State) -> str:
    if state.phase == "deconstruction":
        return "[ ] a brick, ( ) one that may be drawn; C3 is the third from the left in row C."
    return "[ ] a brick, + a space that may be built on; C3 is the third from the left in row C."


def _hands(state: State, witness: Witness) -> Iterator[str]:
    for seat, hands in enumerate(state.hands):
        yield f"Seat {seat}{' (you)' if seat == witness else ''}"
        for number, hand in enumerate(hands, start=1):
            bricks = " ".join(brick.rjust(3) for brick in (*hand, *["."] * (HAND_SIZE - len(hand))))
            yield f"  hand {number}: {bricks}{_result(state, seat, number)}"


def _result(state: State, seat: int, number: int) -> str:
    if not state.results:
        return ""
    result = state.results[number - 1]
    won = ", wins" if result.winner == seat else ""
    return f"  {result.categories[seat].replace('_', ' ')}{won}"
