"""The rounds: choosing a board, turning cards, and ending a turn and a round."""

from collections.abc import Iterator

from games.higher_or_lower.assigning import refuse_unknown_board
from games.higher_or_lower.commands import ChooseBoard, Flip, Guess
from games.higher_or_lower.events import BoardChosen, CardFlipped, CardGuessed, RoundFinished, TurnEnded
from games.higher_or_lower.layout import NEIGHBOURS, layout_of
from games.higher_or_lower.pieces import BOARDS, NUMBER_OF, SIDE, Direction, Reason
from games.higher_or_lower.state import State, evolve
from games.kernel import Event, Illegal

LIMIT = 8
"""The greatest number of cards in one turn, the grey one included."""
IDLE_TURNS = 4
"""The number of consecutive turns without a turned card that ends the round."""


def boards_left(state: State) -> tuple[str, ...]:
    """Return the boards not yet played."""
    return tuple(board for board in BOARDS if board not in state.cards_open)


def greys_left(state: State) -> tuple[int, ...]:
    """Return the face-down grey spaces of the round's board."""
    greys = layout_of(state.options.boards).greys[str(state.board)]
    return tuple(space for space in greys if not state.is_open(space))


def ways_on(state: State) -> tuple[Direction, ...]:
    """Return the directions from the card last turned to face-down neighbours."""
    return tuple(way for way, space in NEIGHBOURS[state.at or 0].items() if not state.is_open(space))


def choose_board(state: State, seat: int, command: ChooseBoard) -> Iterator[Event]:
    """Begin a round."""  # R12
    refuse_unknown_board(command.board)
    if command.board not in boards_left(state):
        raise Illegal("board_played", f"Board {command.board} has been played; choose another one.")
    yield BoardChosen(seat, command.board, command.order)


def flip(state: State, seat: int, command: Flip) -> Iterator[Event]:
    """Turn up a grey card to begin a turn."""  # R13
    row, col = command.row, command.col
    if not (1 <= row <= SIDE and 1 <= col <= SIDE):
        raise Illegal("off_board", "Rows and columns go from 1 to 5.")
    space = (row - 1) * SIDE + col - 1
    if space not in layout_of(state.options.boards).greys[str(state.board)]:
        raise Illegal("not_grey", "A turn begins on a grey space.")
    _refuse_open(state, space)
    flipped = CardFlipped(seat, row, col, card_on(state, space))
    yield flipped
    after = evolve(state, flipped)
    if not ways_on(after):  # R16
        yield from end_turn(after, "stuck")


def guess(state: State, seat: int, command: Guess) -> Iterator[Event]:
    """Call a neighbour of the card last turned, and turn it up."""  # R14
    at = state.at or 0
    space = NEIGHBOURS[at].get(command.direction)
    if space is None:
        raise Illegal("off_board", f"The board ends there; nothing lies to the {command.direction}.")
    _refuse_open(state, space)
    card = card_on(state, space)
    gain = NUMBER_OF[card] - NUMBER_OF[card_on(state, at)]
    correct = gain > 0 if command.call == "higher" else gain < 0
    row, col = divmod(space, SIDE)
    guessed = CardGuessed(seat, row + 1, col + 1, command.call, card, correct)
    yield guessed
    after = evolve(state, guessed)
    reason = _reason_to_end(after, correct)
    if reason:
        yield from end_turn(after, reason)


def stop(state: State) -> Iterator[Event]:
    """End the turn after a correct call."""  # R15
    if state.turned < 2:
        raise Illegal("nothing_to_stop", "Call one card before you stop.")
    yield from end_turn(state, "stopped")


def end_turn(state: State, reason: Reason) -> Iterator[Event]:
    """End the turn, and the round if the last grey card is open or no card was turned for too long."""  # R17, R20
    ended = TurnEnded(int(state.mover or 0), reason)
    yield ended
    after = evolve(state, ended)
    if not greys_left(after) or after.idle == IDLE_TURNS:
        yield RoundFinished(str(after.board), after.points, round_winner(after))


def round_winner(state: State) -> int:
    """Return the seat with more points, or the one that went second if they are equal."""  # R18
    one, other = state.points
    return (0 if one > other else 1) if one != other else 1 - int(state.first or 0)


def card_on(state: State, space: int) -> str:
    """Return the card on a space of the round's board; needs a state with all secrets."""
    rows = state.dealt[str(state.board)]
    return rows[space // SIDE][space % SIDE] if rows else ""


def _reason_to_end(state: State, correct: bool) -> Reason | None:
    if not correct:
        return "wrong"
    if state.turned == LIMIT:
        return "limit"
    return None if ways_on(state) else "stuck"


def _refuse_open(state: State, space: int) -> None:
    if state.is_open(space):
        raise Illegal("face_up", "That card lies open already.")
