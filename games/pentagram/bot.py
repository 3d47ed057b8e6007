"""The bot: it rates a placement by its immediate payout and by the expected earnings of the placed workers."""

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
"""The value of a worker in hand, added to the logarithm of the score."""

BALANCE = 0.06
"""The weight of the logarithm of each single colour, that of the score being 1."""

PLACES = 9
"""The decimal places to which leads are compared; the last digits differ between machines and Python releases."""


def bot(state: State, seat: int, rng: Random) -> Place:
    """Return the placement with the greatest lead over the best other seat."""
    options = list(legal(state, seat))
    rng.shuffle(options)
    return max(options, key=lambda place: round(_lead(_after(state, seat, place), seat), PLACES))


def _after(state: State, seat: int, place: Place) -> State:
    """Return the state after the placement and its payout, before the next card."""
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
    purses = _expected_purses(state)
    return [
        log(worth(state.options, purse)) + BALANCE * sum(map(log, purse)) + HAND * hand
        for purse, hand in zip(purses, state.hands, strict=True)
    ]


def _expected_purses(state: State) -> list[list[float]]:
    """Return each seat's coins with the expected earnings of its workers; fewer gaps before a worker are better."""
    purses = [[float(coins) for coins in purse] for purse in state.coins]
    likelihood = state.left / (state.left + 6 * state.seats)
    for cards, workers in zip(state.cards, state.workers, strict=True):
        for space, seats in enumerate(workers):
            gaps = cards[:space].count(None)
            for seat in seats:
                _add_earnings(purses[seat], cards[space::-1], likelihood**gaps)
    return purses


def _add_earnings(purse: list[float], cards: tuple[Card | None, ...], chance: float) -> None:
    """Add to the purse the earnings of a worker on its way over these cards, times the probability."""
    walked = list(purse)
    for card in filter(None, cards):
        face = FACES[card]
        gain = walked[face.source] if face.adds else max(1 - walked[face.target], -walked[face.source])
        walked[face.target] += gain
    for row, coins in enumerate(walked):
        # A large float loses its last coin, but the logarithm needs at least one.
        purse[row] = max(1.0, purse[row] + chance * (coins - purse[row]))
