"""The rules: prompts, decisions and the outcome."""

from collections.abc import Iterable, Iterator
from typing import Any

from games.kernel import Chance, Due, Event, Illegal, Outcome, Prompt, two_seat_outcome
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
from games.pyramid_poker.pieces import BRICKS, BUILT, CATEGORIES, HAND_SIZE, HANDS, strength
from games.pyramid_poker.pyramid import Pyramid, pyramid_of
from games.pyramid_poker.state import Hands, State, evolve


def due(state: State) -> Due:
    """Return the prompt of the one seat on turn; a draw and its assign share a run of the clock. R17"""
    if outcome(state) is not None:
        return Due()
    if state.turn is None:
        return Due(prompts=(Prompt(state.priority, ("choose_first",), "choice", "choice"),))  # R3
    if state.phase == "construction":
        command, number = "place", len(state.spaces) + 1
    else:
        command = "draw" if state.held is None else "assign"
        number = BUILT - len(state.spaces) + (state.held is None)
    return Due(prompts=(Prompt(state.turn, (command,), f"{state.phase} {number}", "turn"),))


def decide(state: State, seat: int, command: Any, chance: Chance) -> Iterable[Event]:
    """Return the events of a seat's command; raise Illegal."""
    match command:
        case ChooseFirst(seat=first):
            return _choose_first(state, first, chance)
        case Place(cell=cell):
            return _place(state, seat, cell, chance)
        case Draw(cell=cell):
            return _draw(state, seat, cell)
        case Assign(hand=hand):
            return _assign(state, seat, hand)
    raise TypeError(f"{command!r} is not a command of this game.")


def deal(state: State, chance: Chance) -> Iterable[Event]:
    """Return no events: the dealer has no duties in this game."""
    return ()


def expire(state: State, seat: int, chance: Chance) -> Iterable[Event]:
    """Return the events after `flag_fallen`: a random first seat during the choice, none during play. R18"""
    if state.phase != "choice":
        return ()
    return _choose_first(state, chance.choice(range(state.seats), "first"), chance)


def outcome(state: State) -> Outcome | None:
    """Return the outcome, or None. R16, R18 and R19"""
    score = dict(enumerate(state.wins))
    if state.resigned:
        return two_seat_outcome(1 - state.resigned[0], "resigned", score)
    if state.flagged is not None:
        return two_seat_outcome(1 - state.flagged, "flag", score)
    if state.phase != "over":
        return None
    winner = max((0, 1), key=lambda seat: (state.wins[seat], seat == state.priority))
    return two_seat_outcome(winner, "played", score)


def open_spaces(state: State) -> Iterator[str]:
    """Yield the spaces on which a brick may be placed. R5"""
    spaces = state.spaces
    for cell, below in pyramid_of(state.options.base).below.items():
        if cell not in spaces and all(support in spaces for support in below):
            yield cell


def exposed(state: State) -> Iterator[str]:
    """Yield the spaces whose brick may be drawn, row by row from the lowest. R9"""
    spaces = state.spaces
    for cell, above in pyramid_of(state.options.base).above.items():
        if cell in spaces and not any(upper in spaces for upper in above):
            yield cell


def _choose_first(state: State, first: int, chance: Chance) -> Iterable[Event]:
    if not 0 <= first < state.seats:
        raise Illegal("no_such_seat", "Choose seat 0 or seat 1 to start.")
    return FirstChosen(first), _dealt(state, first, chance)


def _place(state: State, seat: int, cell: str, chance: Chance) -> Iterable[Event]:
    below = _spaces_of(state, cell).below[cell]
    if cell in state.spaces:
        raise Illegal("not_empty", f"{cell} already holds a brick.")
    if not all(support in state.spaces for support in below):
        raise Illegal("unsupported", f"{cell} needs both bricks below it: {' and '.join(below)}.")
    placed = BrickPlaced(seat, cell)
    if len(state.spaces) + 1 == BUILT:  # R7
        return placed, ConstructionFinished()
    return placed, _dealt(state, 1 - seat, chance)


def _draw(state: State, seat: int, cell: str) -> Iterable[Event]:
    above = _spaces_of(state, cell).above[cell]
    if cell not in state.spaces:
        raise Illegal("not_exposed", f"{cell} holds no brick.")
    resting = [upper for upper in above if upper in state.spaces]
    if resting:
        raise Illegal("not_exposed", f"{cell} isn't exposed: {' and '.join(resting)} must be drawn first.")
    return (BrickDrawn(seat, cell, str(state.spaces[cell].brick)),)


def _assign(state: State, seat: int, hand: int) -> Iterable[Event]:
    if not 1 <= hand <= HANDS:
        raise Illegal("no_such_hand", f"Your hands are 1 to {HANDS}.")
    if len(state.hands[seat][hand - 1]) == HAND_SIZE:  # R11
        raise Illegal("hand_full", f"Hand {hand} has {HAND_SIZE} bricks already.")
    assigned = BrickAssigned(seat, hand)
    if state.spaces:
        return (assigned,)
    return assigned, _compared(evolve(state, assigned).hands)


def _spaces_of(state: State, cell: str) -> Pyramid:
    pyramid = pyramid_of(state.options.base)
    if cell not in pyramid.below:
        top = pyramid.rows[-1][0]
        raise Illegal("no_such_cell", f"No space has that name; they go from A1 to {top}.")
    return pyramid


def _dealt(state: State, seat: int, chance: Chance) -> BrickDealt:
    taken = {standing.brick for standing in state.spaces.values()}
    if state.held is not None:
        taken.add(state.held.brick)
    bag = [brick for brick in BRICKS if brick not in taken]
    return BrickDealt(seat, chance.choice(bag, "brick"))


def _compared(hands: tuple[Hands, ...]) -> HandsCompared:
    results = tuple(_result(number, *pair) for number, pair in enumerate(zip(*hands, strict=True), start=1))
    wins = tuple(sum(result.winner == seat for result in results) for seat in (0, 1))
    return HandsCompared(results, wins)


def _result(number: int, left: tuple[str, ...], right: tuple[str, ...]) -> HandResult:
    ours, theirs = strength(left), strength(right)
    winner = None if ours == theirs else int(ours < theirs)
    return HandResult(number, (CATEGORIES[ours[0]], CATEGORIES[theirs[0]]), winner)
