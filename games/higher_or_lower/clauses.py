"""The conditions on a valid assignment of fifty cards, as clauses for a SAT solver.

* Each group takes one *pattern*: all of one suit or, with two or three spaces, a card of each of several.
* The patterns take ten cards of each suit.
* A mixed group names its card of each suit, all numbers in it differ, and no card is named twice.
* A card is *held* by a group of one suit exactly if no mixed group names it.

Groups of one suit name no cards: they share the cards of the suit that no mixed group names.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from pysat.formula import IDPool  # type: ignore[import-untyped]

from games.higher_or_lower.layout import Place, layout_of
from games.higher_or_lower.pieces import ALLOWED, NUMBER_OF, NUMBERS, SUITS, Boards


class Model(NamedTuple):
    """The clauses of a layout for one colour, and the variables for assumptions."""

    clauses: tuple[tuple[int, ...], ...]
    sizes: dict[Place, int]
    patterns: dict[Place, dict[str, int]]
    named: dict[tuple[Place, str], int]
    held: dict[str, int]


@lru_cache(maxsize=16)
def model_of(boards: Boards, colour: str) -> Model:
    """Return the model of five boards for one colour; cached."""
    sizes = {place: len(spaces) for place, spaces in layout_of(boards).groups[colour].items()}
    pool = IDPool()
    patterns = {
        place: {suits: pool.id((place, suits)) for suits in _patterns(ALLOWED[place[0]], size)}
        for place, size in sizes.items()
    }
    named = {
        (place, card): pool.id((place, card))
        for place in sizes
        if any(len(suits) > 1 for suits in patterns[place])
        for card in NUMBER_OF
        if card[0] in ALLOWED[place[0]]
    }
    held = {card: pool.id(card) for card in NUMBER_OF}
    model = Model((), sizes, patterns, named, held)
    clauses = (*_suit_clauses(model, pool), *_card_clauses(model))
    return model._replace(clauses=tuple(map(tuple, clauses)))


def _patterns(allowed: str, size: int) -> Iterator[str]:
    yield from allowed
    if 1 < size <= len(allowed):
        yield from map("".join, combinations(allowed, size))


def _suit_clauses(model: Model, pool: IDPool) -> Iterator[Iterable[int]]:
    """Yield the clauses for one pattern per group and ten cards per suit."""
    for of_group in model.patterns.values():
        yield of_group.values()
        yield from _not_two(of_group.values())
    for suit in SUITS:
        yield from _count_clauses(model, suit, pool)


def _count_clauses(model: Model, suit: str, pool: IDPool) -> Iterator[Iterable[int]]:
    """Yield the clauses of a running count of the suit's cards over the groups, from none to ten."""
    counts = {0}
    yield (pool.id((suit, None, 0)),)
    before: Place | None = None
    for place, of_group in model.patterns.items():
        takes = {of_group[suits]: _cards_of(suit, suits, model.sizes[place]) for suits in of_group if suit in suits}
        if takes:
            for count in counts:
                stands = -pool.id((suit, before, count))
                yield (stands, *takes, pool.id((suit, place, count)))
                for variable, cards in takes.items():
                    yield (stands, -variable, pool.id((suit, place, count + cards)))
            counts = {count + cards for count in counts for cards in (0, *takes.values())}
            yield from ((-pool.id((suit, place, count)),) for count in counts if count > len(NUMBERS))
            counts = {count for count in counts if count <= len(NUMBERS)}
            before = place
    yield from ((-pool.id((suit, before, count)),) for count in counts if count < len(NUMBERS))


def _cards_of(suit: str, suits: str, size: int) -> int:
    return size if suits == suit else 1


def _card_clauses(model: Model) -> Iterator[Iterable[int]]:
    """Yield the clauses for the named cards of mixed groups, and for each card being in one group only."""
    for place, of_group in model.patterns.items():
        mixed = {suits: variable for suits, variable in of_group.items() if len(suits) > 1}
        for suit in ALLOWED[place[0]] if mixed else ():
            cards = [model.named[place, f"{suit}{number}"] for number in NUMBERS]
            using = [variable for suits, variable in mixed.items() if suit in suits]
            yield from ((-variable, *cards) for variable in using)
            yield from ((-card, *using) for card in cards)
            yield from _not_two(cards)
        for number in NUMBERS if mixed else ():
            yield from _not_two(model.named[place, f"{suit}{number}"] for suit in ALLOWED[place[0]])
    for card, held in model.held.items():
        naming = [model.named[place, card] for place in model.sizes if (place, card) in model.named]
        yield from _not_two(naming)
        yield from ((-held, -variable) for variable in naming)
        yield (held, *naming)


def _not_two(variables: Iterable[int]) -> Iterator[tuple[int, int]]:
    yield from ((-one, -other) for one, other in combinations(variables, 2))
