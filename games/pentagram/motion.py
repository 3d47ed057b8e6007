"""The animations: the card moves to its space, workers move along the rows, and coins count."""

from collections.abc import Mapping, Sequence
from typing import Final

from games.kernel import Event, Motion, Step, count, reveal, still, together, travel
from games.pentagram.events import (
    CardDrawn,
    CardPlaced,
    DeckShuffled,
    SpacePaid,
    WorkerPlaced,
    WorkersReturned,
    ZeroDealt,
)
from games.pentagram.pieces import COLOURS, FACES, LETTERS, Colour


def _foot(colour: Colour, space: int) -> str:
    """Return the place of the workers on a space."""
    return f"{LETTERS[colour]}{space} foot"


def _zero_dealt(dealt: ZeroDealt) -> Sequence[Step]:
    return together(*(travel("deck", f"{LETTERS[colour]}0") for colour in dealt.cards))


def _worker_placed(placed: WorkerPlaced) -> Sequence[Step]:
    hand = f"hand {placed.seat}"
    walk = travel(hand, _foot(placed.colour, placed.space), looks=hand)
    return together(walk, *([count(f"{placed.seat} {placed.colour}")] if placed.price else []))


def _space_paid(paid: SpacePaid) -> Sequence[Step]:
    target = COLOURS[FACES[paid.card].target]
    counts = [count(f"{seat} {target}") for seat, (before, after) in paid.coins.items() if before != after]
    if not paid.space:
        return together(*counts)
    here, there = _foot(paid.colour, paid.space), _foot(paid.colour, paid.space - 1)
    return together(*counts, *(travel(here, there, looks=f"hand {seat}") for seat in paid.coins))


def _workers_returned(home: WorkersReturned) -> Sequence[Step]:
    foot = _foot(home.colour, 0)
    return together(*(travel(foot, f"hand {seat}", looks=f"hand {seat}") for seat in sorted(set(home.seats))))


MOTION: Final[Mapping[type[Event], Motion]] = {
    DeckShuffled: still,
    ZeroDealt: _zero_dealt,
    CardDrawn: lambda drawn: (travel("deck", "card"), reveal("card")),
    CardPlaced: lambda placed: (travel("card", f"{LETTERS[placed.colour]}{placed.space}"),),
    WorkerPlaced: _worker_placed,
    SpacePaid: _space_paid,
    WorkersReturned: _workers_returned,
}
