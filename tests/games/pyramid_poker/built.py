"""Tables whose bricks are known: pyramids built and taken down brick by brick."""

from collections.abc import Iterable, Sequence
from itertools import chain

import pytest

from games.kernel import Event, Illegal, Table
from games.pyramid_poker import GAME
from games.pyramid_poker.events import (
    BrickAssigned,
    BrickDealt,
    BrickDrawn,
    BrickPlaced,
    ConstructionFinished,
    FirstChosen,
)
from games.pyramid_poker.pieces import BRICKS, BUILT
from games.pyramid_poker.pyramid import pyramid_of

CELLS = tuple(chain.from_iterable(pyramid_of(8).rows))[:BUILT]
"""The spaces in the order that `built` fills them: rows A to D, and E1 to E4."""


def construction(*moves: str, priority: int = 0, first: int = 0, finished: bool = False) -> Table:
    """A table where bricks have been placed, such as `7D A1`, and nobody holds one yet."""
    events: list[Event] = [FirstChosen(first)]
    for number, move in enumerate(moves):
        brick, cell = move.split()
        seat = (first + number) % 2
        events += [BrickDealt(seat, brick), BrickPlaced(seat, cell)]
    if finished:
        events.append(ConstructionFinished())
    return Table.replay(GAME, {}, 2, priority, events)


def built(bricks: Sequence[str] = BRICKS, priority: int = 0, first: int = 0) -> Table:
    """A table where the first thirty of these bricks stand on CELLS, in their order."""
    moves = [f"{brick} {cell}" for brick, cell in zip(bricks, CELLS, strict=False)]
    return construction(*moves, priority=priority, first=first, finished=True)


def taken_down(left: str, right: str, priority: int = 0, left_over: int = 0) -> Table:
    """A table where the seats have drawn these bricks, five for each hand, but for the last `left_over` turns."""
    drawn = list(chain.from_iterable(zip(left.split(), right.split(), strict=True)))
    events: list[Event] = list(built(drawn[::-1], priority).log)
    for number, (brick, cell) in enumerate(zip(drawn, CELLS[::-1], strict=True)):
        if number < BUILT - left_over:
            seat, hand = number % 2, number // 10 + 1
            events += [BrickDrawn(seat, cell, brick), BrickAssigned(seat, hand)]
    return Table.replay(GAME, {}, 2, priority, events)


def compared(left: str, right: str, priority: int = 0) -> Table:
    """A table where these hands, three of five bricks for each seat, have been compared."""
    table = taken_down(left, right, priority, left_over=1)
    table.act(1, {"type": "draw", "cell": "A1"})
    table.act(1, {"type": "assign", "hand": 3})
    return table


def refusal(table: Table, seat: int, command: dict[str, object]) -> str:
    """The code that a command is refused with."""
    with pytest.raises(Illegal) as refused:
        table.act(seat, command)
    return refused.value.code


def types(events: Iterable[Event]) -> list[str]:
    """The names of the events' classes."""
    return [type(event).__name__ for event in events]
