"""The picture of a match played to its end: the three hands of both seats, compared."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

import svg

from games.drawing.elements import box, fitted, group, picture, text, width_of
from games.drawing.materials import slab
from games.drawing.shapes import suit
from games.drawing.themes import Theme
from games.pyramid_poker.events import HandResult
from games.pyramid_poker.pieces import CATEGORIES, FACES, RANK, SUIT, SUIT_WORDS, category_of
from games.pyramid_poker.rules import outcome
from games.pyramid_poker.state import State

_WIDE, _MARGIN, _INSET = 560, 10, 14
_CARD, _STEP, _HIGH = 39, 42, 58
_GREATER = 1.08
_WORDS_HIGH, _GAP = 46, 12
_NAME_SIZES = (19, 17, 15, 13)
"""Font sizes for a name between two hands; a long name gets a smaller one before it is cut."""
_LOST, _KICKER = 0.66, 0.62
_NUMBERS: Final = ("no", "one", "two", "three")
_RANK_WORDS: Final = ("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_OF_KINDS: Final = {"pair": 2, "two_pair": 2, "three": 3, "four": 4}
"""The number of bricks of one rank that make a category; the others are kickers."""


def finale(view: State, theme: Theme, names: Sequence[str]) -> str | None:
    """Return the picture; None if the match ended before the hands were compared."""
    if not view.results:
        return None
    return _Comparison(view, theme, names).picture()


def score(view: State) -> str:
    """Return the numbers of hands of the winner and the loser: `two hands to one`."""
    best, other = max(view.wins), min(view.wins)
    if best == other:
        return f"{_NUMBERS[best]} hand{'s' if best != 1 else ''} each, by the priority"
    return f"{_NUMBERS[best]} hand{'s' if best != 1 else ''} to {_NUMBERS[other] if other else 'none'}"


def worth(hand: Sequence[str]) -> tuple[str, str]:
    """Return a hand's category in words, and the ranks that distinguish it unless the first text includes them."""
    ranks = [rank for rank, _ in sorted(Counter(map(RANK.__getitem__, hand)).items(), key=lambda it: (it[1], it[0]))]
    best, second = ranks[-1], ranks[-2]
    top = FACES[max(ranks) - 1]
    match category_of(hand):
        case "straight_flush":
            return f"Straight flush to the {top}", ""
        case "four":
            return f"Four {_many(best)}", ""
        case "full_house":
            return "Full house", f"{_many(best)} over {_many(second)}"
        case "flush":
            return f"Flush of {SUIT_WORDS[SUIT[hand[0]]]}", ""
        case "straight":
            return f"Straight to the {top}", ""
        case "three":
            return f"Three {_many(best)}", ""
        case "two_pair":
            return "Two pair", f"{_many(best)} and {_many(second)}"
        case "pair":
            return f"Pair of {_many(best)}", ""
        case _:
            return "High card", f"the {top}"


def _many(rank: int) -> str:
    word = _RANK_WORDS[rank - 1]
    return f"{word}es" if word.endswith("x") else f"{word}s"


class _Comparison:
    def __init__(self, view: State, theme: Theme, names: Sequence[str]) -> None:
        self.view, self.theme, self.names = view, theme, names
        end = outcome(view)
        self.winner = end.winners[0] if end else 0
        taken = [result.hand for result in view.results if result.winner == self.winner]
        self.decisive = taken[-1] if taken else 0

    def picture(self) -> str:
        elements: list[svg.Element] = []
        y: float = _MARGIN
        for result in self.view.results:
            high = self.high(result.hand)
            elements += self.comparison(result, y, high)
            y += high + _GAP
        title = "The hands compared. " + " ".join(map(self.sentence, self.view.results))
        return picture(title, _WIDE, y - _GAP + _MARGIN, elements, self.theme, ground=None)

    def high(self, number: int) -> float:
        return _WORDS_HIGH + self.scale(number) * _HIGH + (2 * _INSET if number == self.decisive else 0)

    def scale(self, number: int) -> float:
        return _GREATER if number == self.decisive else 1

    def sentence(self, result: HandResult) -> str:
        hands = " against ".join(", ".join(filter(None, worth(self.hand(seat, result.hand)))) for seat in (0, 1))
        end = "tied" if result.winner is None else f"{self.names[result.winner]} takes it"
        return f"Hand {result.hand}: {hands}, {end}."

    def hand(self, seat: int, number: int) -> Sequence[str]:
        return self.view.hands[seat][number - 1]

    def comparison(self, result: HandResult, y: float, high: float) -> Iterator[svg.Element]:
        theme, is_decisive = self.theme, result.hand == self.decisive
        if is_decisive:
            yield box(1, y, _WIDE - 2, high, fill=theme.inset, line=theme.gold, thick=1.5, radius=12)
            y += _INSET
        for seat in (0, 1):
            yield from self.words(result, seat, y)
            yield self.cards(result, seat, y + _WORDS_HIGH)
        middle = y + _WORDS_HIGH + self.scale(result.hand) * _HIGH / 2
        yield text(_WIDE / 2, middle - 12, f"Hand {result.hand}", size=19, fill=theme.muted)
        winner = result.winner
        label = "tied" if winner is None else self.names[winner]
        room = _WIDE - 2 * (_INSET + self.hand_wide(result))
        size = next((it for it in _NAME_SIZES if width_of(label, it) <= room), _NAME_SIZES[-1])
        yield text(
            _WIDE / 2, middle + 11, fitted(label, size, room),
            size=size, fill=theme.muted if winner is None else theme.seat(winner), bold=True,
        )  # fmt: skip

    def hand_wide(self, result: HandResult) -> float:
        return self.scale(result.hand) * (4 * _STEP + _CARD)

    def words(self, result: HandResult, seat: int, y: float) -> Iterator[svg.Element]:
        won = result.winner == seat
        x, anchor = (_INSET, "start") if seat == 0 else (_WIDE - _INSET, "end")
        colour = self.theme.gold if won else self.theme.muted
        kind, rest = worth(self.hand(seat, result.hand))
        lines = [kind, rest] if rest else ["", kind]
        for place, line in enumerate(lines):
            if line:
                yield text(x, y + 9 + 21 * place, line, size=19, fill=colour, bold=won, anchor=anchor)

    def cards(self, result: HandResult, seat: int, y: float) -> svg.Element:
        hand, won = self.hand(seat, result.hand), result.winner == seat
        scale = self.scale(result.hand)
        x = _INSET if seat == 0 else _WIDE - _INSET - self.hand_wide(result)
        kickers = _kickers(hand)
        drawn = [self.card(brick, place * _STEP, won, brick in kickers) for place, brick in enumerate(hand)]
        whole = group(*drawn, x=x, y=y, scale=scale)
        if result.winner is not None and not won:
            whole.opacity = _LOST
        return whole

    def card(self, brick: str, x: float, won: bool, is_kicker: bool) -> svg.Element:
        theme, letter, value = self.theme, SUIT[brick], brick[:-1]
        edge = theme.brass if won and not is_kicker else theme.card_deep
        colour = getattr(theme, f"suit_{letter.lower()}")
        face = slab(x, 0, _CARD, _HIGH, fill=theme.card, edge=edge, radius=5)
        middle = x + _CARD / 2
        drawn = group(
            *face, text(middle, 19, value, size=21, fill=colour, bold=True), suit(letter, middle, 39, 17, colour)
        )
        if is_kicker:
            drawn.opacity = _KICKER
        return drawn


def _kickers(hand: Sequence[str]) -> frozenset[str]:
    """Return the bricks of a hand that aren't part of its category."""
    category = category_of(hand)
    if category == CATEGORIES[0]:
        best = max(hand, key=RANK.__getitem__)
        return frozenset(hand) - {best}
    if category not in _OF_KINDS:
        return frozenset()
    counts = Counter(RANK[brick] for brick in hand)
    return frozenset(brick for brick in hand if counts[RANK[brick]] < _OF_KINDS[category])
