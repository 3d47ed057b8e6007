"""A decent opponent: weighs what a placement pays at once and what the workers out there may still earn."""

from functools import reduce
from math import log
from random import Random

from games.kernel import Event
from games.pentagram.commands import Place
from games.pentagram.events import CardPlaced, WorkerPlaced
from games.pentagram.legal import legal
from games.pentagram.pieces import FACES, Card
from games.pentagram.rules import pay_out, worth
from games.pentagram.state import State, evolve

HAND = 0.04
"""What a worker in hand is worth, beside the logarithm of the score."""

BALANCE = 0.06
"""What the logarithm of each single colour counts, beside that of the score."""

PLACES = 9
"""Leads are compared to so many decimal places: the last ones differ between machines and releases of Python."""


def bot(state: State, seat: int, rng: Random) -> Place:
    """The placement that leaves the seat furthest ahead of the best other seat."""
    options = list(legal(state, seat))
    rng.shuffle(options)
    return max(options, key=lambda place: round(_lead(_after(state, seat, place), seat), PLACES))


def _after(state: State, seat: int, place: Place) -> State:
    """The table once the placement has been paid out, before the next card."""
    placing: list[Event] = [CardPlaced(seat=seat, colour=place.colour, space=place.space)]
    if place.worker:
        placing.append(WorkerPlaced(seat=seat, colour=place.colour, space=place.space, price=place.space))
    placed = reduce(evolve, placing, state)
    return reduce(evolve, pay_out(placed, place.colour), placed)


def _lead(state: State, seat: int) -> float:
    worths = _worths(state)
    return worths[seat] - max(
        worths[other] for other in range(state.seats) if other != seat and other not in state.resigned
    )


def _worths(state: State) -> list[float]:
    hopes = _hopes(state)
    return [
        log(worth(state.options, purse)) + BALANCE * sum(map(log, purse)) + HAND * hand
        for purse, hand in zip(hopes, state.hands, strict=True)
    ]


def _hopes(state: State) -> list[list[float]]:
    """Each seat's coins with what its workers may bring home, the likelier the fewer gaps are before them."""
    hopes = [[float(coins) for coins in purse] for purse in state.coins]
    likely = state.left / (state.left + 6 * state.seats)
    for cards, workers in zip(state.cards, state.workers, strict=True):
        for space, seats in enumerate(workers):
            gaps = cards[:space].count(None)
            for seat in seats:
                _walk(hopes[seat], cards[space::-1], likely**gaps)
    return hopes


def _walk(purse: list[float], cards: tuple[Card | None, ...], chance: float) -> None:
    """Add to the purse what a worker earns on its way over these cards, with this chance."""
    walked = list(purse)
    for card in filter(None, cards):
        face = FACES[card]
        gain = walked[face.source] if face.adds else max(1 - walked[face.target], -walked[face.source])
        walked[face.target] += gain
    for row, coins in enumerate(walked):
        # Of large numbers a float loses the last coin, and the logarithm needs it.
        purse[row] = max(1.0, purse[row] + chance * (coins - purse[row]))
