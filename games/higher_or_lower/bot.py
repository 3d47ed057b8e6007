"""The bot: it assigns its cards in low and high runs, and makes the calls with the greatest expected points."""

from collections.abc import Sequence
from random import Random
from typing import Any

from games.higher_or_lower.assigning import places_of
from games.higher_or_lower.beliefs import Belief, beliefs_of
from games.higher_or_lower.commands import (
    AssignGroup,
    ChooseBoard,
    ChooseColour,
    Guess,
    LockIn,
    WithdrawGroup,
)
from games.higher_or_lower.layout import NEIGHBOURS
from games.higher_or_lower.legal import completions_of, flip_of
from games.higher_or_lower.pieces import CALLS, COLOURS, NUMBER_OF, Group
from games.higher_or_lower.playing import boards_left, greys_left
from games.higher_or_lower.state import State
from games.kernel import Command

_DEPTH = 2
_PLACES = 9
"""The decimal places to which points are compared; the last digits differ between Python releases."""


def bot(state: State, seat: int, rng: Random) -> Command:
    """Return the bot's command from the seat's witness state."""
    if not state.colours:
        return ChooseColour(rng.choice(COLOURS))
    if len(state.locked) < state.seats:
        return _assign(state, seat, rng)
    if state.mover is None:
        return ChooseBoard(min(boards_left(state), key=lambda board: _spread(state, seat, board)), "first")
    beliefs = beliefs_of(state, seat)
    if state.at is None:
        return flip_of(max(greys_left(state), key=lambda space: round(_promise(beliefs, space), _PLACES)))
    number = NUMBER_OF[str(state.cards_open[str(state.board)][state.at])]
    return _best_guess(beliefs, state.at, number)


def _assign(state: State, seat: int, rng: Random) -> Command:
    with completions_of(state, seat) as completions:
        if not completions.missing:
            return LockIn()
        if not completions.exist():
            latest = state.groups[seat][-1]
            return WithdrawGroup(latest.board, latest.shape)
        group = completions.draw(rng.choice(completions.missing), lambda items: _runs(items, rng))
        return AssignGroup(group.board, group.shape, group.cards)


def _runs(items: Sequence[Any], rng: Random) -> Sequence[Any]:
    """Sort cards in ascending or descending order, and patterns of one suit before mixed ones."""
    falling = rng.random() < 0.5
    shuffled = rng.sample(items, len(items))
    if items and items[0] in NUMBER_OF:
        return sorted(shuffled, key=NUMBER_OF.__getitem__, reverse=falling)
    return sorted(shuffled, key=len)


def _spread(state: State, seat: int, board: str) -> int:
    """Return the total range of the seat's own groups on a board; unknown groups count as the widest."""
    places = [place for place in places_of(state, seat) if place[0] == board]
    return sum(_span(state.group_of(seat, *place)) for place in places)


def _span(group: Group | None) -> int:
    numbers = [NUMBER_OF[card] for card in group.cards] if group else [1, 10]
    return (max(numbers) - min(numbers)) * len(numbers)


def _promise(beliefs: dict[int, Belief], space: int) -> float:
    """Return the expected points of a turn that begins on a space."""
    numbers = beliefs[space].numbers
    ahead = {beside: belief for beside, belief in beliefs.items() if beside != space}
    return sum(_best_value(ahead, space, number, _DEPTH) for number in numbers) / len(numbers)


def _best_guess(beliefs: dict[int, Belief], space: int, number: int) -> Guess:
    ways = [way for way, beside in NEIGHBOURS[space].items() if beside in beliefs]
    guesses = [(way, call) for way in ways for call in CALLS]
    way, call = max(
        guesses,
        key=lambda g: round(_value(beliefs, NEIGHBOURS[space][g[0]], number, g[1], _DEPTH), _PLACES),
    )
    return Guess(way, call)


def _best_value(beliefs: dict[int, Belief], space: int, number: int, depth: int) -> float:
    beside = [other for other in NEIGHBOURS[space].values() if other in beliefs]
    return max(
        (_value(beliefs, other, number, call, depth) for other in beside for call in CALLS),
        default=0.0,
    )


def _value(beliefs: dict[int, Belief], space: int, number: int, call: str, depth: int) -> float:
    """Return the expected points of a call and of the calls after it."""
    belief = beliefs[space]
    if depth == 1:
        return belief.chance(number, call)
    ahead = {beside: other for beside, other in beliefs.items() if beside != space}
    right = [n for n in belief.numbers if (n > number if call == "higher" else n < number)]
    follow = {n: _best_value(ahead, space, n, depth - 1) for n in set(right)}
    return sum(1 + follow[n] for n in right) / len(belief.numbers)
