"""The bot: it plays cards that fill most spaces and leave few to the other seat, and buys what pays off."""

from collections.abc import Sequence
from functools import partial
from math import comb, fsum
from random import Random
from typing import Final

from msgspec.structs import replace

from games.kernel import Command
from games.peeling_the_banana.banana import EMPTY, Banana
from games.peeling_the_banana.commands import Buy, ChooseFirst, EndTurn, PlayCard
from games.peeling_the_banana.effects import targets
from games.peeling_the_banana.options import shapes_of, sheet_of
from games.peeling_the_banana.pieces import AIMED, coins_of, is_piece, kind_of
from games.peeling_the_banana.shop import affordable
from games.peeling_the_banana.state import State, reach, reach_size, runs_short

_COIN: Final = 0.3
_DENIAL: Final = 0.4
_LONELY: Final = 0.6
"""Values in spaces: a coin, a space that the other seat could fill next, an isolated empty space."""

_WANTED: Final = {"reach": 12, "seconds": 14}
"""The upgrades to buy, best first, with the last own turn in which each pays off; the others never do."""

Rated = tuple[float, Command]


def bot(state: State, seat: int, rng: Random) -> Command:
    """Return the best command for this seat; choose randomly among equal ones."""
    match state.stage:
        case "first":
            return ChooseFirst(1 if seat else 0)
        case "play":
            return _best(state, seat, rng)[1]
        case _:
            return _shopping(state, seat)


def _best(state: State, seat: int, rng: Random) -> Rated:
    rated = [_rate(state, seat, card, rng) for card in reach(state, seat)]
    return max(rated, key=lambda one: (one[0], rng.random()))


def _rate(state: State, seat: int, card: str, rng: Random) -> Rated:
    """Return a card's value in spaces, and the best way to play it."""
    kind = kind_of(card)
    if kind == "seconds":
        return _second(state, seat, card, rng), PlayCard(card)
    worth, command = _worth(state, seat, card, kind, rng)
    return worth - _DENIAL * _left_to_opponent(state, seat, card), command


def _worth(state: State, seat: int, card: str, kind: str, rng: Random) -> Rated:
    sheet = sheet_of(state.options)
    if is_piece(kind):
        return _place(sheet, state, seat, card, kind)
    if kind == "bite":
        return _bite(sheet, state, seat, card)
    if kind in AIMED:
        cards = targets(state, seat, card)
        return (0.3, PlayCard(card, target=max(cards, key=partial(_size, state)))) if cards else (0.0, PlayCard(card))
    return _COIN * coins_of(kind), PlayCard(card)


def _second(state: State, seat: int, card: str, rng: Random) -> float:
    """Return the value of the next card after `seconds`; after a shuffle, its expected value."""
    after = replace(state, deck=state.deck[state.deck.index(card) + 1 :])
    best = _best(after, seat, rng)[0] if reach(after, seat) else 0.0
    return best if state.reshuffled else _with_drawn(_discarding(state, card), seat, best, coin=_COIN)


def _discarding(state: State, card: str) -> State:
    """Return the state with the deck and the discard after a card of the deck is played. R5"""
    below = state.deck.index(card) + 1
    return replace(state, deck=state.deck[below:], discard=state.discard + state.deck[:below])


def _with_drawn(state: State, seat: int, best: float, coin: float = 0.0) -> float:
    """Return the expected value of the best card of the next choice; `best` is that of the cards in reach. R12"""
    if state.options.reshuffle == "empty" or not runs_short(state, seat):
        return best
    sheet = sheet_of(state.options)
    empty = sheet.bits_of(state.boards[seat], EMPTY)
    kinds = [kind_of(card) for card in state.discard if seat in state.available[card]]
    worths = (max(best, _most(sheet, kind, empty), coin * coins_of(kind)) for kind in kinds)
    missing = reach_size(state, seat) - len(reach(state, seat))
    return _expected(sorted(worths, reverse=True), missing, best)


def _expected(worths: Sequence[float], drawn: int, least: float) -> float:
    """Return the expected maximum of `drawn` items drawn from a descending list."""
    number, drawn = len(worths), min(drawn, len(worths))
    if not drawn:
        return least
    ways = comb(number, drawn)
    return fsum(worth * (comb(number - 1 - place, drawn - 1) / ways) for place, worth in enumerate(worths))


def _place(sheet: Banana, state: State, seat: int, card: str, kind: str) -> Rated:
    empty = sheet.bits_of(state.boards[seat], EMPTY)
    lies = sheet.distinct(kind)
    if not lies:
        return 0.0, PlayCard(card)
    most = max((lie.mask & empty).bit_count() for lie in lies)
    rated = [
        (most - _LONELY * _lonely(sheet, empty & ~lie.mask), lie)
        for lie in lies
        if (lie.mask & empty).bit_count() == most
    ]
    worth, lie = max(rated, key=lambda one: one[0])
    return worth + _LONELY * _lonely(sheet, empty), PlayCard(card, placement=lie.placement)


def _bite(sheet: Banana, state: State, seat: int, card: str) -> Rated:
    empty = sheet.bits_of(state.boards[seat], EMPTY)
    spaces = [space for space in sheet.spaces if sheet.bit(space) & empty]
    alone = [space for space in spaces if not sheet.around(sheet.bit(space)) & empty]
    return 1 + _LONELY * bool(alone), PlayCard(card, target=(alone or spaces)[0])


def _lonely(sheet: Banana, empty: int) -> int:
    """Return the number of empty spaces without an empty neighbour."""
    return (empty & ~sheet.around(empty)).bit_count()


def _left_to_opponent(state: State, seat: int, card: str) -> float:
    """Return the most spaces that the other seat could fill next (after a shuffle, the expected value)."""
    opponent = 1 - seat
    sheet = sheet_of(state.options)
    empty = sheet.bits_of(state.boards[opponent], EMPTY)
    after = _discarding(state, card)
    kinds = {kind_of(other) for other in reach(after, opponent)}
    most = max((_most(sheet, kind, empty) for kind in kinds), default=0)
    return _with_drawn(after, opponent, most)


def _most(sheet: Banana, kind: str, empty: int) -> int:
    if not is_piece(kind):
        return kind == "bite"
    return max(((lie.mask & empty).bit_count() for lie in sheet.distinct(kind)), default=0)


def _size(state: State, card: str) -> int:
    return len(shapes_of(state.options).get(kind_of(card), ()))


def _shopping(state: State, seat: int) -> Command:
    """Return the purchase of the best affordable upgrade that still pays off, else the end of the turn."""
    turn, items = state.turns[seat], affordable(state, seat)
    for item, until in _WANTED.items():
        if item in items and turn <= until:
            return Buy(item)
    return EndTurn()
