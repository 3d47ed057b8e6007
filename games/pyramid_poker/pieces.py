"""The forty bricks, and the ranking of hands of five bricks."""

from collections import Counter
from collections.abc import Sequence
from typing import Final, Literal

Category = Literal[
    "high_card", "pair", "two_pair", "three", "straight", "flush", "full_house", "four", "straight_flush"
]

SUITS: Final = "SHDC"
FACES: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")
BRICKS: Final = tuple(face + suit for suit in SUITS for face in FACES)
RANK: Final = {brick: FACES.index(brick[:-1]) + 1 for brick in BRICKS}
SUIT: Final = {brick: brick[-1] for brick in BRICKS}

HANDS: Final = 3
HAND_SIZE: Final = 5
BUILT: Final = 2 * HANDS * HAND_SIZE

CATEGORIES: Final[tuple[Category, ...]] = (
    "high_card", "pair", "two_pair", "three", "straight", "flush", "full_house", "four", "straight_flush",
)  # fmt: skip
_BY_COUNTS: Final[dict[tuple[int, ...], Category]] = {
    (4, 1): "four",
    (3, 2): "full_house",
    (3, 1, 1): "three",
    (2, 2, 1): "two_pair",
    (2, 1, 1, 1): "pair",
}


SUIT_WORDS: Final = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}


def spoken(brick: str | None) -> str:
    """Return a brick in words: `9 of hearts`, or `hidden brick` for None."""
    return "hidden brick" if brick is None else f"{brick[:-1]} of {SUIT_WORDS[SUIT[brick]]}"


def category_of(hand: Sequence[str]) -> Category:
    """Return the category of a hand of five bricks."""
    counts = tuple(sorted(Counter(RANK[brick] for brick in hand).values(), reverse=True))
    if counts in _BY_COUNTS:
        return _BY_COUNTS[counts]
    ranks = [RANK[brick] for brick in hand]
    straight = max(ranks) - min(ranks) == HAND_SIZE - 1  # R14
    flush = len({SUIT[brick] for brick in hand}) == 1
    if straight:
        return "straight_flush" if flush else "straight"
    return "flush" if flush else "high_card"


def strength(hand: Sequence[str]) -> tuple[int, tuple[int, ...]]:
    """Return a sort key, greater for a better hand: the category, then the ranks, the most frequent first. R13"""
    counts = Counter(RANK[brick] for brick in hand)
    ranks = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    return CATEGORIES.index(category_of(hand)), tuple(ranks)
