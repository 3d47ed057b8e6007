"""The board as text, for a terminal."""

from collections.abc import Iterator

from games.kernel import Witness, quantity
from games.pentagram.pieces import COLOURS, LEFT_TO_RIGHT, LETTERS, short
from games.pentagram.rules import over, score
from games.pentagram.state import State

CELL = 13


def text_board(state: State, witness: Witness) -> str:
    """Return the rows with cards and the seats of their workers, then every seat's coins and workers."""
    return "\n".join((_heading(state), "", *_tableau(state), "", *_areas(state, witness), "", *_legend(state, witness)))


def _heading(state: State) -> str:
    deck = f"{quantity(state.left, 'card')} in the deck"
    if over(state):
        return f"The match is over; {deck}."
    if state.turn is None or state.card is None:
        return f"The dealer is at work; {deck}."
    return f"Turn {state.turns}: seat {state.turn} places {short(state.card)} ({state.card}); {deck}."


def _tableau(state: State) -> Iterator[str]:
    prices = (f"{space} free" if space == 0 else f"{space} costs {space}" for space in LEFT_TO_RIGHT)
    yield f"{'':10}{''.join(f'{price:{CELL}}' for price in prices)}".rstrip()
    for row, colour in enumerate(COLOURS):
        cells = "".join(f"{_cell(state, row, space):{CELL}}" for space in LEFT_TO_RIGHT)
        yield f"{LETTERS[colour]} {colour:8}{cells}".rstrip()


def _cell(state: State, row: int, space: int) -> str:
    card = state.cards[row][space]
    workers = ",".join(map(str, state.workers[row][space]))
    return f"{short(card) if card else '.'}{' *' if workers else ''}{workers}"


def _areas(state: State, witness: Witness) -> Iterator[str]:
    heads = (*COLOURS, "workers", state.options.score)
    yield f"{'':14}{''.join(f'{head:>11}' for head in heads)}"
    for seat, scored in score(state).items():
        numbers = (*state.coins[seat], state.hands[seat], scored)
        yield f"{_seat(state, seat, witness):14}{''.join(f'{_number(n):>11}' for n in numbers)}"


def _seat(state: State, seat: int, witness: Witness) -> str:
    if seat in state.resigned:
        return f"seat {seat} gone"
    return f"seat {seat} (you)" if seat == witness else f"seat {seat}"


def _number(n: int) -> str:
    """Return the number, abbreviated if it is too long for the table."""
    digits = str(n)
    return digits if len(digits) <= 10 else f"~{digits[0]}.{digits[1:3]}e{len(digits) - 1}"


def _legend(state: State, witness: Witness) -> Iterator[str]:
    yield "O>B+ adds the orange coins to the blue ones, O>B- takes them off; *1 is a worker of seat 1."
    yield "A row pays from its space 0 up to the first gap, the highest space first."
    if state.card is not None and state.turn == witness and witness not in state.resigned and not over(state):
        yield "Your turn: O3 puts the card on orange 3, O3 w a worker on it too."
