"""The expected value of an unfinished hand, given the probability of drawing each brick."""

from collections.abc import Mapping, Sequence
from itertools import permutations
from math import prod
from typing import Final

from games.pyramid_poker.pieces import BRICKS, FACES, HAND_SIZE, RANK, SUIT, SUITS

_WORTH: Final = {
    "pair": 1.0,
    "two_pair": 2.2,
    "three": 3.4,
    "straight": 5.0,
    "flush": 6.0,
    "full_house": 7.2,
    "four": 8.4,
    "straight_flush": 9.5,
}
_RANKS: Final = range(1, len(FACES) + 1)
_LOWEST_OF_RUN: Final = range(1, len(FACES) - HAND_SIZE + 2)

_BRICK: Final = {(RANK[brick], SUIT[brick]): brick for brick in BRICKS}


class Outlook:
    """The probabilities of drawing each brick, with their sums by rank and by suit."""

    def __init__(self, likely: Mapping[str, float]) -> None:
        self.likely = likely
        self.rank = dict.fromkeys(_RANKS, 0.0)
        self.suit = dict.fromkeys(SUITS, 0.0)
        for brick, likelihood in likely.items():
            self.rank[RANK[brick]] += likelihood
            self.suit[SUIT[brick]] += likelihood
        self._cache: dict[tuple[str, ...], float] = {}

    def promise(self, hand: tuple[str, ...]) -> float:
        """Return the hand's expected value: the greatest product of a category's value and its probability."""
        if hand not in self._cache:
            self._cache[hand] = self._promise(hand)
        return self._cache[hand]

    def _promise(self, hand: Sequence[str]) -> float:
        ranks = sorted(RANK[brick] for brick in hand)
        counts = {rank: ranks.count(rank) for rank in set(ranks)}
        best = max(self._of_a_kind(counts), self._pairs(counts), key=float)
        if len(counts) == len(hand):
            best = max(best, self._of_a_suit(hand, ranks), self._straight(ranks))
        return best + sum(ranks) / 200

    def _of_a_kind(self, counts: Mapping[int, int]) -> float:
        """Rate a pair, three and four of a kind."""
        room = HAND_SIZE - sum(counts.values())
        best = 0.0
        for rank, count in counts.items():
            best = max(best, _WORTH["pair"] * self._more_of(rank, 2 - count, room))
            best = max(best, _WORTH["three"] * self._more_of(rank, 3 - count, room))
            best = max(best, _WORTH["four"] * self._more_of(rank, 4 - count, room))
        return best

    def _pairs(self, counts: Mapping[int, int]) -> float:
        """Rate two pair and a full house."""
        room = HAND_SIZE - sum(counts.values())
        best = 0.0
        for high, low in permutations(counts, 2):
            missing = max(0, 2 - counts[high]), max(0, 2 - counts[low])
            if sum(missing) <= room:
                both = self._more_of(high, missing[0], room) * self._more_of(low, missing[1], room)
                best = max(best, _WORTH["two_pair"] * both)
        if len(counts) != 2:
            return best
        for high, low in permutations(counts, 2):
            if counts[high] <= 3 and counts[low] <= 2:
                both = self._more_of(high, 3 - counts[high], room) * self._more_of(low, 2 - counts[low], room)
                best = max(best, _WORTH["full_house"] * both)
        return best

    def _of_a_suit(self, hand: Sequence[str], ranks: Sequence[int]) -> float:
        """Rate a flush and a straight flush."""
        suits = {SUIT[brick] for brick in hand}
        if len(suits) > 1:
            return 0.0
        best = 0.0
        for suit in suits or SUITS:
            best = max(best, _WORTH["flush"] * _enough(self.suit[suit], HAND_SIZE - len(hand)))
            for run in _runs(ranks):
                each = (self.likely.get(_BRICK[rank, suit], 0.0) for rank in run)
                best = max(best, _WORTH["straight_flush"] * prod(each))
        return best

    def _straight(self, ranks: Sequence[int]) -> float:
        runs = (prod(min(1.0, 0.6 * self.rank[rank]) for rank in run) for run in _runs(ranks))
        return _WORTH["straight"] * max(runs, default=0.0)

    def _more_of(self, rank: int, missing: int, room: int) -> float:
        if missing <= 0:
            return 1.0
        return _enough(self.rank[rank], missing) if missing <= room else 0.0


def _enough(likely: float, missing: int) -> float:
    """Estimate the probability of drawing `missing` bricks when `likely` are expected."""
    if missing == 0:
        return 1.0
    spare = max(0.0, likely - missing + 1)
    return float(min(1.0, spare / 2.5) ** missing)


def _runs(ranks: Sequence[int]) -> list[list[int]]:
    """Return, for each run of five ranks that contains all these, the missing ranks."""
    return [
        [rank for rank in range(low, low + HAND_SIZE) if rank not in ranks]
        for low in _LOWEST_OF_RUN
        if not ranks or (low <= ranks[0] and ranks[-1] < low + HAND_SIZE)
    ]
