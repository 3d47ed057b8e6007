"""Higher or lower: groups to assign, the board to choose, the card to turn and the call to make."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

from games.higher_or_lower.assigning import places_of
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
from games.higher_or_lower.layout import NEIGHBOURS, layout_of
from games.higher_or_lower.legal import completion
from games.higher_or_lower.panels import cards_of, open_cards
from games.higher_or_lower.pieces import ALLOWED, COLOUR_OF, NUMBER_OF, SHAPE_OF, SIDE, Direction, space_name, spoken
from games.higher_or_lower.playing import LIMIT, greys_left, ways_on
from games.higher_or_lower.state import State
from games.kernel import Illegal, quantity
from matches.html.trays.tray import Choice, Tray, TrayContext


def tray(context: TrayContext) -> Tray:
    state = context.state
    choices = tuple(_choice(context, command) for command in context.commands)
    if not state.colours:
        return Tray("choose your colour", choices)
    if len(state.locked) < state.seats:
        return _assigning(context, choices)
    if state.mover is None:
        return Tray("choose a board, and go first or second", choices)
    if state.at is None:
        greys = len(greys_left(state))
        left = f"{greys} grey cards are still closed" if greys > 1 else "One grey card is still closed"
        note = f"{left}. The round ends with the turn that opens the last."
        return Tray("turn up a grey card", choices, note=note, reasons=dict(_no_greys(state)))
    return _calling(context, choices)


def completed(state: State, seat: int, drafts: Sequence[Any], rng: Random) -> list[dict[str, Any]]:
    """Return the groups that a seat still has to assign, filled so that the assignment can be completed; drafts are
    kept as far as possible."""
    if not state.colours or seat in state.locked:
        raise Illegal("not_your_turn", "You have no groups to assign now.")
    if any(not isinstance(draft, AssignGroup) for draft in drafts):
        raise Illegal("malformed", "Drafts are groups, such as `assign A circle A1 A2`.")
    groups = completion(state, seat, drafts, rng)
    return [{"name": f"{group.board} {group.shape}", "cards": list(group.cards)} for group in groups]


def _assigning(context: TrayContext, choices: tuple[Choice, ...]) -> Tray:
    state, seat = context.state, context.seat
    if seat in state.locked:
        return Tray("wait", note="Your assignment is final.")
    groups = [_group(state, seat, place, len(spaces)) for place, spaces in places_of(state, seat).items()]
    stuck = state.completable[seat] is False
    note = (
        "As it stands the other groups can't all be filled: take a card back from one." if stuck
        else "Groups that are missing at the deadline are filled at random, and you aren't shown how."
    )  # fmt: skip
    note = f"{note} {context.unscheduled}".rstrip()
    data = {
        "groups": groups,
        "boards": {board: " ".join(codes) for board, codes in layout_of(state.options.boards).codes.items()},
        "colour": state.colours[seat],
        "stuck": stuck,
        "note": note,
        "fills": "filling" in context.aided,
    }
    return Tray("assign your 50 cards", choices, module="assigning", data=data, note=note)


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


def _calling(context: TrayContext, choices: tuple[Choice, ...]) -> Tray:
    state = context.state
    number = NUMBER_OF[_last_card(state)]
    stop = next((choice for choice in choices if choice.text == "stop"), None)
    data = {
        "number": number,
        "ways": [_way(context, way, number) for way in ways_on(state)],
        "stop": stop and {"text": stop.text, "label": stop.label, "hint": stop.hint},
        "points": state.points[context.seat],
        "limit": state.turned + 1 == LIMIT,
    }
    note = "An equal number counts as wrong."
    return Tray(
        f"higher or lower than the {number}?", choices, module="guessing", data=data, note=note, offers=True,
        reasons=dict(_not_beside(state)),
    )  # fmt: skip


def _way(context: TrayContext, way: Direction, number: int) -> dict[str, Any]:
    """Return a direction: the group that lies there, and of the seat's own cards those that the aids show."""
    state, seat = context.state, context.seat
    space, board = NEIGHBOURS[state.at or 0][way], str(state.board)
    code = layout_of(state.options.boards).codes[board][space]
    colour, shape = COLOUR_OF[code[0]], SHAPE_OF[code[1]]
    own = colour == state.colours[seat]
    cards = (cards_of(state, seat, (board, shape)) if own else None) or ()
    owner = "your" if own else f"{context.names[1 - seat]}’s"
    whose = f"a grey {shape}" if colour == "grey" else f"{owner} {shape}s"
    return {
        "way": way,
        "cell": space_name(space // SIDE + 1, space % SIDE + 1),
        "shape": shape,
        "colour": colour,
        "whose": whose,
        **_may_lie(context, cards, number),
        "calls": {"higher": f"{way[0].upper()} H", "lower": f"{way[0].upper()} L"},
    }


def _may_lie(context: TrayContext, cards: Sequence[str], number: int) -> dict[str, list[str]]:
    """Return the cards that the seat gave to the group; with the aid, those that can still lie there, by comparison."""
    if "comparison" not in context.aided:
        return {"cards": sorted(cards, key=_by_number)} if "own_groups" in context.aided else {}
    shut = sorted(set(cards) - open_cards(context.state, context.seat), key=_by_number)
    return {
        "lower": [card for card in shut if NUMBER_OF[card] < number],
        "same": [card for card in shut if NUMBER_OF[card] == number],
        "higher": [card for card in shut if NUMBER_OF[card] > number],
    }


def _by_number(card: str) -> tuple[int, str]:
    return NUMBER_OF[card], card


def _no_greys(state: State) -> Iterator[tuple[str, str]]:
    """Yield why a turn can't begin on a space."""
    codes = layout_of(state.options.boards).codes[str(state.board)]
    for space, code in enumerate(codes):
        if state.is_open(space):
            yield _named(space), f"{spoken(str(state.cards_open[str(state.board)][space]))} lies open already."
        elif code[0] != "g":
            yield _named(space), "A turn begins on a grey card."


def _not_beside(state: State) -> Iterator[tuple[str, str]]:
    """Yield why a card can't be called."""
    ways = {NEIGHBOURS[state.at or 0][way] for way in ways_on(state)}
    for space in range(SIDE * SIDE):
        if not state.is_open(space) and space not in ways:
            yield _named(space), f"Only cards beside {_named(state.at or 0)} can be called now."


def _named(space: int) -> str:
    return space_name(space // SIDE + 1, space % SIDE + 1)


def _last_card(state: State) -> str:
    return str(state.cards_open[str(state.board)][state.at or 0])


def _choice(context: TrayContext, command: object) -> Choice:
    text = context.form(command)
    match command:
        case ChooseColour(colour=colour):
            bars = {"cyan": "one bar", "pink": "two bars"}[colour]
            return Choice(text, f"Take {colour}", hint=f"Your spaces bear {bars}.")
        case WithdrawGroup(board=board, shape=shape):
            return Choice(text, f"Withdraw the {shape}s of board {board}")
        case LockIn():
            return Choice(text, "Lock in", hint="Your assignment is final then.", confirm=True)
        case ChooseBoard(board=board, order=order):
            hint = "" if order == "first" else "You win the round if it ends level."
            return Choice(text, f"Board {board}, go {order}", cell=board, hint=hint)
        case Flip(row=row, col=col):
            name = space_name(row, col)
            return Choice(text, f"Turn up {name}", cell=name, hint="Everybody will see it.", confirm=True)
        case Guess(direction=direction, call=call):
            label = f"{direction.capitalize()} is {call} than {NUMBER_OF[_last_card(context.state)]}"
            return Choice(text, label, cell=_named(NEIGHBOURS[context.state.at or 0][direction]), listed=True)
        case Stop():
            points = context.state.points[context.seat]
            kept = quantity(points, "point")
            return Choice(text, f"Stop here and keep {kept}", key="s", hint="Your turn ends.", confirm=True)
    return Choice(text, text.capitalize())


def touched(event: Mapping[str, Any]) -> Sequence[str]:
    return (space_name(event["row"], event["col"]),) if event["type"] in ("card_flipped", "card_guessed") else ()
