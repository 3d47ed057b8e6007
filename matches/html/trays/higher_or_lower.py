"""Higher or lower: the groups to assign, the board to choose, the card to turn and the call to make."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.higher_or_lower.assigning import places_of
from games.higher_or_lower.commands import ChooseBoard, ChooseColour, Flip, Guess, LockIn, Stop, WithdrawGroup
from games.higher_or_lower.layout import NEIGHBOURS
from games.higher_or_lower.notation import space_name
from games.higher_or_lower.pieces import ALLOWED, NUMBER_OF, SIDE, SUITS
from games.higher_or_lower.state import State
from matches.html.trays.tray import Choice, Tray, TrayContext


def tray(context: TrayContext) -> Tray:
    """What the state of play asks for."""
    state = context.state
    choices = tuple(_choice(context, command) for command in context.commands)
    if not state.colours:
        return Tray("choose your colour", choices)
    if len(state.locked) < state.seats:
        return _assigning(state, context.seat, choices)
    if state.mover is None:
        return Tray("choose a board and your place in the order", choices)
    if state.at is None:
        return Tray("turn up a grey card", choices)
    return Tray("call the next card", choices, note="An equal number counts as wrong.")


def _assigning(state: State, seat: int, choices: tuple[Choice, ...]) -> Tray:
    if seat in state.locked:
        return Tray("wait", note="Your assignment is final.")
    groups = [_group(state, seat, place, len(spaces)) for place, spaces in places_of(state, seat).items()]
    used = {card: group["name"] for group in groups for card in group["cards"]}
    hand = [
        {"suit": suit, "name": name, "cards": [{"card": c, "in": used.get(c, "")} for c in NUMBER_OF if c[0] == suit]}
        for suit, name in SUITS.items()
    ]
    stuck = state.completable[seat] is False
    return Tray(
        task="assign your cards",
        choices=choices,
        module="assigning",
        data={"groups": groups, "hand": hand},
        note=(
            "As it stands the other groups can't all be filled; withdraw a group." if stuck
            else "Groups that are missing at the deadline are filled at random, and you aren't shown how."
        ),
    )  # fmt: skip


def _group(state: State, seat: int, place: tuple[str, str], size: int) -> dict[str, Any]:
    board, shape = place
    laid = state.group_of(seat, board, shape)
    return {
        "name": f"{board} {shape}",
        "board": board,
        "shape": shape,
        "size": size,
        "suits": ALLOWED[board],
        "cards": list(laid.cards) if laid else [],
    }


def _choice(context: TrayContext, command: object) -> Choice:
    text = context.form(command)
    match command:
        case ChooseColour(colour=colour):
            return Choice(text, f"Take {colour}")
        case WithdrawGroup(board=board, shape=shape):
            return Choice(text, f"Withdraw {board} {shape}")
        case LockIn():
            return Choice(text, "Lock in", hint="Your assignment is final then.", confirm=True)
        case ChooseBoard(board=board, order=order):
            return Choice(text, f"Board {board}, go {order}", cell=board, listed=True)
        case Flip(row=row, col=col):
            name = space_name(row, col)
            return Choice(text, f"Turn up {name}", cell=name, hint="Everybody will see it.", confirm=True)
        case Guess(direction=direction, call=call):
            return _guess(context.state, text, direction, call)
        case Stop():
            return Choice(text, "Stop here", key="s", hint="Your turn ends and you keep your points.", confirm=True)
    return Choice(text, text.capitalize())


def _guess(state: State, text: str, direction: Any, call: str) -> Choice:
    space = NEIGHBOURS[state.at or 0][direction]
    name = space_name(space // SIDE + 1, space % SIDE + 1)
    last = NUMBER_OF.get(state.cards_open[str(state.board)][state.at or 0] or "", "?")
    hint = f"{call.capitalize()} than {last}."
    return Choice(text, f"{name} is {call}", cell=name, key=call[0], hint=hint, confirm=True)


def touched(event: Mapping[str, Any]) -> Sequence[str]:
    """The space of a card that was turned up."""
    return (space_name(event["row"], event["col"]),) if event["type"] in ("card_flipped", "card_guessed") else ()
