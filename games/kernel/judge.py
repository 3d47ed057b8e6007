"""The kernel's checks, in a fixed order, before a game's decisions. A seat is a number, or HOST."""

from games.kernel.chance import Chance
from games.kernel.game import Game
from games.kernel.illegal import Illegal
from games.kernel.messages import Command, Event, FlagFallen, HostFlagFallen, Resign, Resigned, State, type_name
from games.kernel.witnesses import HOST, Witness

Batch = tuple[Event, ...]


def act(game: Game, state: State, seat: Witness, command: object, chance: Chance) -> Batch:
    """Return the events of a seat's command; raise Illegal."""
    _refuse_when_over(game, state)
    _refuse_unknown_seat(game, state, seat)
    parsed = game.read_command(command, seat)
    if isinstance(parsed, Resign) and isinstance(seat, int):
        return _resign(state, seat)
    _refuse_out_of_turn(game, state, seat, parsed)
    return tuple(game.decide(state, seat, parsed, chance))


def deal(game: Game, state: State, chance: Chance) -> Batch:
    """Return the events of the dealer's due duty; raise Illegal("nothing_due")."""
    if not game.due(state).dealer:
        raise Illegal("nothing_due", "The dealer has no duty now.")
    return tuple(game.deal(state, chance))


def flag(game: Game, state: State, seat: Witness, chance: Chance) -> Batch:
    """Return the events of a seat's fallen flag, `flag_fallen` first; raise Illegal("no_prompt")."""
    _refuse_when_over(game, state)
    _refuse_unknown_seat(game, state, seat)
    prompt = game.due(state).prompt_of(seat)
    if prompt is None:
        whose = f"Seat {seat}" if isinstance(seat, int) else "The host"
        raise Illegal("no_prompt", f"{whose} has nothing to decide, so its clock doesn't run.")
    fallen = FlagFallen(seat, prompt.clock) if isinstance(seat, int) else HostFlagFallen(prompt.clock)
    return (fallen, *game.expire(state, seat, chance))


def _resign(state: State, seat: int) -> Batch:
    if seat in state.resigned:
        raise Illegal("not_your_turn", "You have resigned; the dealer plays your turns.")
    return (Resigned(seat=seat),)


def _refuse_when_over(game: Game, state: State) -> None:
    if game.outcome(state) is not None:
        raise Illegal("match_over", "The match is over.")


def _refuse_unknown_seat(game: Game, state: State, seat: Witness) -> None:
    if seat is HOST and game.host_commands:
        return
    if type(seat) is not int or not 0 <= seat < state.seats:
        raise Illegal("no_such_seat", f"The seats at this table are 0 to {state.seats - 1}.")


def _refuse_out_of_turn(game: Game, state: State, seat: Witness, command: Command) -> None:
    due = game.due(state)
    if due.dealer:
        raise Illegal("dealer_due", "The dealer is at work; try again in a moment.")
    allowed = due.commands_of(seat)
    if not allowed:
        raise Illegal("not_your_turn", "The host has nothing to do now." if seat is HOST else "It isn't your turn.")
    if type_name(type(command)) not in allowed:
        raise Illegal("not_now", f"Now you may {' or '.join(name.replace('_', ' ') for name in allowed)}.")
