"""The rules: prompts, decisions, fallen flags and the outcome."""

from collections.abc import Iterable, Iterator

from games.higher_or_lower import assigning, playing
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
from games.higher_or_lower.dealing import deal_boards, fill
from games.higher_or_lower.events import BoardChosen, ColourChosen
from games.higher_or_lower.layout import layout_of
from games.higher_or_lower.options import Options
from games.higher_or_lower.pieces import BOARDS, COLOURS, ORDERS
from games.higher_or_lower.state import State
from games.kernel import Chance, Command, Due, Event, Illegal, Outcome, Prompt, two_seat_outcome

WINS = 3
"""The number of rounds that wins the match."""

_ASSIGNING = ("assign_group", "withdraw_group", "lock_in")


def due(state: State) -> Due:
    """Return the prompts, or the dealer's duty."""
    if outcome(state):
        return Due()
    if not state.colours:
        return Due(prompts=(Prompt(state.priority, ("choose_colour",), "colour", "choice"),))  # R3
    if len(state.locked) < state.seats:
        setup = tuple(Prompt(seat, _ASSIGNING, "setup", "setup") for seat in range(state.seats))
        return Due(
            prompts=tuple(prompt for prompt in setup if prompt.seat not in state.locked),
            amendable=tuple(prompt for prompt in setup if prompt.seat in state.locked),
        )
    if len(state.dealt) < len(BOARDS):
        return Due(dealer=True)
    return Due(prompts=(_turn_prompt(state),))


def _turn_prompt(state: State) -> Prompt:
    turn_key = f"choice {state.choices + 1}"
    if state.mover is None:
        return Prompt(state.chooser, ("choose_board",), turn_key, "turn")
    return Prompt(state.mover, ("flip",) if state.at is None else ("guess", "stop"), turn_key, "turn")


def decide(state: State, seat: int, command: Command, chance: Chance) -> Iterable[Event]:
    """Return the events of a seat's command; raise Illegal."""
    match command:
        case Guess():
            return playing.guess(state, seat, command)
        case Flip():
            return playing.flip(state, seat, command)
        case Stop():
            return playing.stop(state)
        case ChooseBoard():
            return playing.choose_board(state, seat, command)
        case ChooseColour(colour=colour):
            return (ColourChosen(seat, colour),)
        case _ if seat in state.locked:
            raise Illegal("locked", "Your assignment is final.")  # R7
        case AssignGroup():
            return assigning.assign(state, seat, command)
        case WithdrawGroup():
            return assigning.withdraw(state, seat, command)
        case LockIn():
            return assigning.lock_in(state, seat)
    raise TypeError(f"{command!r} is not a command of this game.")


def deal(state: State, chance: Chance) -> Iterator[Event]:
    """Deal the cards of all boards."""
    return deal_boards(state, chance)


def expire(state: State, seat: int, chance: Chance) -> Iterable[Event]:
    """Return the events that follow `flag_fallen`: a random choice, the rest of an assignment, or the turn's end."""
    if not state.colours:
        return (ColourChosen(seat, chance.choice(COLOURS, "colour")),)
    if seat not in state.locked and len(state.locked) < state.seats:
        return fill(state, seat, chance)
    if state.mover is None:
        board = chance.choice(playing.boards_left(state), "board")
        return (BoardChosen(seat, board, chance.choice(ORDERS, "order")),)
    return playing.end_turn(state, "flag")  # R19


def score(state: State) -> dict[int, int]:
    """Return the rounds won, by seat."""
    return {seat: sum(played.winner == seat for played in state.rounds) for seat in range(state.seats)}


def outcome(state: State) -> Outcome | None:
    """Return the outcome once a seat has won three rounds or has resigned, else None."""  # R21
    if state.resigned:
        return two_seat_outcome(1 - state.resigned[0], "resigned", score(state))
    if len(state.rounds) < WINS:
        return None
    won = score(state)
    winner = next((seat for seat, rounds in won.items() if rounds == WINS), None)
    return None if winner is None else two_seat_outcome(winner, "played", won)


def bound(options: Options, seats: int) -> int:
    """Return the most commands and flags of a match: the choice of a colour, the assignments, and for each board its
    choice, its cards, and four ends of a turn for each grey card."""
    layout = layout_of(options.boards)
    assignments = sum(len(layout.groups[colour]) + 1 for colour in COLOURS)
    return 1 + assignments + sum(1 + 25 + 4 * len(layout.greys[board]) for board in BOARDS)
