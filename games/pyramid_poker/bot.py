"""The bot: it places good bricks where they can be drawn early, and draws for the best expected hands."""

from collections.abc import Iterable
from random import Random
from typing import Final

from games.kernel import Command
from games.pyramid_poker.commands import Assign, ChooseFirst, Draw, Place
from games.pyramid_poker.legal import open_hands
from games.pyramid_poker.pieces import BRICKS, RANK, SUIT
from games.pyramid_poker.promise import Outlook
from games.pyramid_poker.pyramid import pyramid_of
from games.pyramid_poker.rules import exposed, open_spaces
from games.pyramid_poker.state import State

_OURS_TO_DRAW: Final = 0.7
"""The assumed probability that a brick on the pyramid is drawn by this seat."""

_PLACES: Final = 9
"""The decimal places to which hand values are compared; the last digits differ between machines and Python releases."""


def bot(state: State, seat: int, rng: Random) -> Command:
    """Return the bot's command from the seat's witness state."""
    if state.phase == "choice":
        return ChooseFirst(seat)
    if state.phase == "construction":
        return Place(_space_for(state, rng))
    if state.held is None:
        return Draw(_best_draw(state, seat, rng))
    outlook = Outlook(_likely(state, seat))
    _, hand = max(_gains(state, seat, str(state.held.brick), outlook))
    return Assign(hand)


def _space_for(state: State, rng: Random) -> str:
    """Return the space that few bricks can cover for a useful brick, or the one that most can cover for another."""
    brick = "" if state.held is None or state.held.brick is None else state.held.brick
    own = [standing.brick for standing in state.spaces.values() if standing.brick is not None]
    useful = _usefulness(brick, own) >= _middle([_usefulness(each, own) for each in BRICKS])
    cover = pyramid_of(state.options.base).cover
    spaces = sorted(open_spaces(state), key=lambda cell: (cover[cell], rng.random()))
    return spaces[0] if useful else spaces[-1]


def _usefulness(brick: str, own: Iterable[str]) -> float:
    """Rate how well a brick combines with the seat's own bricks on the pyramid."""
    worth = RANK[brick] / 20
    for other in own:
        apart = abs(RANK[brick] - RANK[other])
        worth += (brick != other) * (apart == 0) + 0.5 * (SUIT[brick] == SUIT[other]) + 0.1 * (0 < apart < 5)
    return worth


def _middle(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]


def _best_draw(state: State, seat: int, rng: Random) -> str:
    """Return the exposed brick with the greatest expected gain; a hidden one has the mean gain of the unknown ones."""
    cells = list(exposed(state))
    rng.shuffle(cells)
    outlook = Outlook(_likely(state, seat))
    gains: dict[str | None, float] = {}
    for brick in {state.spaces[cell].brick for cell in cells}:
        might_be = _unknown(state) if brick is None else [brick]
        gains[brick] = sum(max(_gains(state, seat, each, outlook))[0] for each in might_be) / len(might_be)
    return max(cells, key=lambda cell: round(gains[state.spaces[cell].brick], _PLACES))


def _gains(state: State, seat: int, brick: str, outlook: Outlook) -> list[tuple[float, int]]:
    """Return, for each hand with room for the brick, the increase of the hand's expected value, and its number."""
    hands = state.hands[seat]
    return [
        (round(outlook.promise((*hands[number - 1], brick)) - outlook.promise(hands[number - 1]), _PLACES), number)
        for number in open_hands(state, seat)
    ]


def _unknown(state: State) -> list[str]:
    """Return the bricks whose place the seat doesn't know: the other seat's hidden bricks and those in the bag."""
    visible = {standing.brick for standing in state.spaces.values()}
    visible.update(brick for hands in state.hands for hand in hands for brick in hand)
    if state.held is not None:
        visible.add(state.held.brick)
    return [brick for brick in BRICKS if brick not in visible]


def _likely(state: State, seat: int) -> dict[str, float]:
    """Return, for each brick that may still be drawn, the probability that this seat draws it."""
    hidden, unknown = sum(standing.brick is None for standing in state.spaces.values()), _unknown(state)
    likely = dict.fromkeys(unknown, _OURS_TO_DRAW * hidden / max(1, len(unknown)))
    for standing in state.spaces.values():
        if standing.brick is not None:
            likely[standing.brick] = _OURS_TO_DRAW
    return likely
