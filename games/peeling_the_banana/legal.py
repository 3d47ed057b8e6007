"""The legal commands of a seat, from its witness state: all of them, or one at random."""

from collections.abc import Iterator, Sequence
from random import Random

from games.kernel import Command
from games.peeling_the_banana.banana import EMPTY
from games.peeling_the_banana.commands import Buy, ChooseFirst, EndTurn, PlayCard
from games.peeling_the_banana.effects import targets
from games.peeling_the_banana.options import sheet_of
from games.peeling_the_banana.pieces import AIMED, Placement, Space, is_piece, kind_of
from games.peeling_the_banana.shop import affordable
from games.peeling_the_banana.state import State, reach


def legal(state: State, seat: int) -> Iterator[Command]:
    """Yield every legal command; each set of spaces once. R7"""
    match state.stage:
        case "first":
            yield from (ChooseFirst(0), ChooseFirst(1))
        case "play":
            for card in reach(state, seat):
                yield from _plays(state, seat, card)
        case "shop":
            yield from map(Buy, affordable(state, seat))
            yield EndTurn()


def sample(state: State, seat: int, rng: Random) -> Command:
    """Return a random legal command: a uniformly random card of the reach, then a random way to play it."""
    match state.stage:
        case "first":
            return ChooseFirst(0) if rng.random() < 0.5 else ChooseFirst(1)
        case "play":
            card = rng.choice(reach(state, seat))
            possible = ways(state, seat, card)
            return _play(card, rng.choice(possible)) if possible else PlayCard(card)
        case _:
            return rng.choice([*map(Buy, affordable(state, seat)), EndTurn()])


def _plays(state: State, seat: int, card: str) -> Iterator[Command]:
    possible = ways(state, seat, card)
    if not possible:
        yield PlayCard(card)
    for way in possible:
        yield _play(card, way)


def _play(card: str, way: Placement | Space | str) -> PlayCard:
    return PlayCard(card, placement=way) if isinstance(way, Placement) else PlayCard(card, target=way)


def ways(state: State, seat: int, card: str) -> Sequence[Placement | Space | str]:
    """Return the placements or targets with which a card may be played; empty if it takes or has none."""
    kind = kind_of(card)
    if is_piece(kind):
        return sheet_of(state.options).placements(kind)
    if kind == "bite":
        rows = state.boards[seat]
        spaces = sheet_of(state.options).spaces
        return [space for space in spaces if rows[space.row - 1][space.col - 1] == EMPTY]
    return targets(state, seat, card) if kind in AIMED else ()
