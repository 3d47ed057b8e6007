"""The board as text, for a terminal."""

from collections.abc import Iterator

from games.higher_or_lower.assigning import places_of
from games.higher_or_lower.layout import layout_of
from games.higher_or_lower.pieces import ALLOWED, BOARDS, NUMBER_OF, SIDE, SUITS, space_name
from games.higher_or_lower.playing import LIMIT
from games.higher_or_lower.rules import outcome, score
from games.higher_or_lower.state import FACE_DOWN, State
from games.kernel import HOST
from games.kernel.witnesses import Witness


def text_board(state: State, witness: Witness) -> str:
    """Return the five boards, the status, and the assignments that the witness may see."""
    lines = ["c p g = cyan, pink, grey; C S T = circle, square, triangle; [ ] = the card last turned"]
    for boards in (BOARDS[:3], BOARDS[3:]):
        lines += ["", *_boards(state, boards)]
    lines += ["", _status(state)]
    for seat in range(state.seats):
        if state.colours and witness in (seat, HOST):
            lines += ["", *_hand(state, seat)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _boards(state: State, boards: tuple[str, ...]) -> Iterator[str]:
    yield "   " + "".join(f" {_heading(state, board):<29}" for board in boards)
    yield "   " + "".join(f"{'  a    b    c    d    e':<30}" for _ in boards)
    for row in range(SIDE):
        yield f"{row + 1}  " + "".join(f"{_row(state, board, row):<30}" for board in boards)


def _heading(state: State, board: str) -> str:
    won = next((f": won by seat {played.winner}" for played in state.rounds if played.board == board), "")
    return f"Board {board}{': in play' if board == state.board else won}"


def _row(state: State, board: str, row: int) -> str:
    codes = layout_of(state.options.boards).codes[board]
    cards = state.cards_open.get(board, FACE_DOWN)
    last = state.at if board == state.board else None
    shown = ((cards[space] or codes[space], space == last) for space in range(row * SIDE, (row + 1) * SIDE))
    return "".join(f"{f'[{text}]' if marked else f' {text} ':<5}" for text, marked in shown)


def _status(state: State) -> str:
    end = outcome(state)
    if end is not None:
        return f"Seat {end.winners[0]} has won ({end.reason}). Rounds won {end.score[0]}-{end.score[1]}."
    if not state.colours:
        return f"Seat {state.priority} chooses a colour."
    if len(state.locked) < state.seats:
        waiting = [f"seat {seat}" for seat in range(state.seats) if seat not in state.locked]
        return f"Assigning: {' and '.join(waiting)} to lock in."
    won = score(state)
    rounds = f"Rounds won {won[0]}-{won[1]}."
    if len(state.dealt) < len(BOARDS):
        return "The dealer lays the cards."
    if state.mover is None:
        return f"{rounds} Seat {state.chooser} chooses a board."
    return f"{rounds} Points {state.points[0]}-{state.points[1]}. {_turn(state)}"


def _turn(state: State) -> str:
    if state.at is None:
        return f"Seat {state.mover} flips a grey card."
    row, col = divmod(state.at, SIDE)
    card = state.cards_open[str(state.board)][state.at]
    return f"Seat {state.mover} is on {space_name(row + 1, col + 1)}: {card}, card {state.turned} of {LIMIT}."


def _hand(state: State, seat: int) -> Iterator[str]:
    """Yield a seat's groups; a star marks an open card."""
    yield f"Seat {seat} is {state.colours[seat]}."
    opened = {card for cards in _own_cards_open(state, seat) for card in cards}
    filled = {(group.board, group.shape): group for group in state.filled[seat] or ()}
    for board in BOARDS:
        descriptions = []
        for (on, shape), spaces in places_of(state, seat).items():
            if on == board:
                group = state.group_of(seat, board, shape) or filled.get((board, shape))
                cards = " ".join(card + "*" * (card in opened) for card in group.cards) if group else ""
                missing = "not told" if seat in state.locked else "to assign"
                descriptions.append(f"{shape} {cards or f'({len(spaces)} {missing})'}")
        yield f"  {board} takes {ALLOWED[board]}: {'; '.join(descriptions)}"
    used = {card for group in state.groups[seat] for card in group.cards}
    if seat not in state.locked:
        for suit in SUITS:
            left = [card[1:] for card in NUMBER_OF if card[0] == suit and card not in used]
            yield f"  {SUITS[suit]:<10} in hand: {suit} {' '.join(left) or '-'}"


def _own_cards_open(state: State, seat: int) -> Iterator[tuple[str, ...]]:
    for (board, _), spaces in places_of(state, seat).items():
        cards = state.cards_open.get(board, ())
        yield tuple(card for space in spaces if cards and (card := cards[space]))
