"""A decent opponent: it keeps good bricks within reach, and draws for the hands they promise."""

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
"""How much of what is known to stand a seat may hope to draw itself."""

_PLACES: Final = 9
"""Promises are compared to so many decimal places: the last ones differ between machines and releases of Python."""


def bot(state: State, seat: int, rng: Random) -> Command:
    """A command from what the seat knows."""
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
    """Useful bricks go where little can cover them, useless ones deep down."""
    brick = "" if state.held is None or state.held.brick is None else state.held.brick
    own = [standing.brick for standing in state.spaces.values() if standing.brick is not None]
    useful = _usefulness(brick, own) >= _middle([_usefulness(each, own) for each in BRICKS])
    cover = pyramid_of(state.options.base).cover
    spaces = sorted(open_spaces(state), key=lambda cell: (cover[cell], rng.random()))
    return spaces[0] if useful else spaces[-1]


def _usefulness(brick: str, own: Iterable[str]) -> float:
    """How well a brick goes with the seat's own ones that stand."""
    worth = RANK[brick] / 20
    for other in own:
        apart = abs(RANK[brick] - RANK[other])
        worth += (brick != other) * (apart == 0) + 0.5 * (SUIT[brick] == SUIT[other]) + 0.1 * (0 < apart < 5)
    return worth


def _middle(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]


def _best_draw(state: State, seat: int, rng: Random) -> str:
    """The exposed brick that promises most; an unknown one promises what the unknown ones do on average."""
    cells = list(exposed(state))
    rng.shuffle(cells)
    outlook = Outlook(_likely(state, seat))
    promised: dict[str | None, float] = {}
    for brick in {state.spaces[cell].brick for cell in cells}:
        might_be = _unknown(state) if brick is None else [brick]
        promised[brick] = sum(max(_gains(state, seat, each, outlook))[0] for each in might_be) / len(might_be)
    return max(cells, key=lambda cell: round(promised[state.spaces[cell].brick], _PLACES))


def _gains(state: State, seat: int, brick: str, outlook: Outlook) -> list[tuple[float, int]]:
    """What the brick adds to the promise of each hand that takes it."""
    hands = state.hands[seat]
    return [
        (round(outlook.promise((*hands[number - 1], brick)) - outlook.promise(hands[number - 1]), _PLACES), number)
        for number in open_hands(state, seat)
    ]


def _unknown(state: State) -> list[str]:
    """The bricks that may stand as another's, or lie in the bag."""
    known = {standing.brick for standing in state.spaces.values()}
    known.update(brick for hands in state.hands for hand in hands for brick in hand)
    if state.held is not None:
        known.add(state.held.brick)
    return [brick for brick in BRICKS if brick not in known]


def _likely(state: State, seat: int) -> dict[str, float]:
    """For each brick that may still be drawn, how likely it stands and comes to the seat."""
    hidden, unknown = sum(standing.brick is None for standing in state.spaces.values()), _unknown(state)
    likely = dict.fromkeys(unknown, _OURS_TO_DRAW * hidden / max(1, len(unknown)))
    for standing in state.spaces.values():
        if standing.brick is not None:
            likely[standing.brick] = _OURS_TO_DRAW
    return likely
