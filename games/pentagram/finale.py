"""The picture of a match played to its end: every seat's coins by colour, the scores, and the deciding criterion."""

from collections.abc import Iterator, Sequence
from typing import Final

import svg

from games.drawing.elements import box, fitted, group, picture, seat_badge, text, width_of
from games.drawing.themes import SEAT_LETTERS, Theme
from games.kernel import Outcome
from games.pentagram.areas import short
from games.pentagram.figures import chip
from games.pentagram.pieces import COLOURS
from games.pentagram.rules import outcome
from games.pentagram.state import State

_WIDE: Final = 560
_CHIPS: Final = 56
_TOP: Final = 88
_ROW: Final = 84
_FIRST: Final = 50
_STEP: Final = 86
_SCORE: Final = _WIDE - 16
_COUNTED: Final = {"total": "coins", "weakest": "weakest", "product": "product", "strongest": "strongest"}
_SENTENCES: Final = {
    "total": "All coins together count.",
    "weakest": "The weakest colour counts.",
    "product": "The five colours multiplied count.",
    "strongest": "The strongest colour counts.",
}


def finale(view: State, theme: Theme, names: Sequence[str]) -> str | None:
    """Return the picture; None if the match wasn't played to its end."""
    end = outcome(view)
    return None if end is None or end.reason != "played" else _Purses(view, theme, names, end).picture()


def score_words(view: State, end: Outcome) -> str:
    """Return the scores of the first two seats, `31 coins to 28`, with the deciding criterion if they are equal."""
    first, second = _best_two(end)
    if _was_first(view, first, second):
        return f"first to {_target(view)}"
    best, other = end.score[first], end.score[second]
    if best != other:
        return f"{_worth(view, best)} to {_number(other)}"
    return f"{_worth(view, best)} each, {_decided(view, first, second)}"


def _best_two(end: Outcome) -> tuple[int, int]:
    """Return the winner and the second seat."""
    (first,), (second,), *_ = end.ranking
    return first, second


def _worth(view: State, number: int) -> str:
    """Return a score with its unit."""
    counted = _counted(view)
    if counted == "total":
        return f"{_number(number)} {'coin' if number == 1 else 'coins'}"
    return f"{counted} {'' if counted == 'product' else 'colour '}{_number(number)}"


def _counted(view: State) -> str:
    """Return the kind of score: the option's, or for `first` the kind that the target counts."""
    if view.options.score != "first":
        return view.options.score
    return "strongest" if view.options.end == "colour" else "total"


def _target(view: State) -> str:
    """Return the target in words."""
    coins = "coin" if view.options.target == 1 else "coins"
    return f"{_number(view.options.target)} {coins}{' of a colour' if view.options.end == 'colour' else ''}"


def _was_first(view: State, one: int, other: int) -> bool:
    """True if the two seats had the target in different turns, which decides with `score: first`."""  # R9
    return view.options.score == "first" and view.met[one] != view.met[other]


def _number(number: int) -> str:
    """Return the number with all digits, or its order of magnitude in words if it is too long."""
    return f"{number:,}" if number < 10**9 else f"about 10 to the {len(str(number)) - 1}"


def _decided(view: State, first: int, second: int) -> str:
    """Return the criterion that decided between two equal scores."""  # R9
    one, other = view.coins[first], view.coins[second]
    if min(one) != min(other):
        return "by the larger weakest colour"
    if sum(coins >= 2 for coins in one) != sum(coins >= 2 for coins in other):
        return "by more colours above 1"
    return "by the later turn"


class _Purses:
    def __init__(self, view: State, theme: Theme, names: Sequence[str], end: Outcome) -> None:
        self.view, self.theme, self.names, self.end = view, theme, names, end
        self.order = [seat for rank in end.ranking for seat in rank]
        self.winner = end.winners[0]

    def picture(self) -> str:
        first, second = _best_two(self.end)
        criterion = _SENTENCES[_counted(self.view)]
        if _was_first(self.view, first, second):
            criterion = f"{fitted(self.names[first], 19, 180)} was the first with {_target(self.view)}."
        elif self.end.score[first] == self.end.score[second]:
            criterion = f"Equal: {fitted(self.names[first], 19, 180)} wins {_decided(self.view, first, second)}."
        theme = self.theme
        elements: list[svg.Element] = [
            text(_WIDE / 2, 14, criterion, size=19, fill=theme.ink, bold=True, width=_WIDE - 8)
        ]
        elements += [chip(colour, _FIRST + place * _STEP, _CHIPS, 20, theme) for place, colour in enumerate(COLOURS)]
        elements.append(text(_SCORE, _CHIPS, _COUNTED[_counted(self.view)], size=19, fill=theme.muted, anchor="end"))
        elements += [group(*self.seat(seat), y=_TOP + place * _ROW) for place, seat in enumerate(self.order)]
        title = f"The coins counted. {criterion} " + " ".join(map(self.sentence, self.order))
        return picture(title, _WIDE, _TOP + len(self.order) * _ROW, elements, self.theme, ground=None)

    def sentence(self, seat: int) -> str:
        coins = ", ".join(
            f"{short(count)} {colour}" for colour, count in zip(COLOURS, self.view.coins[seat], strict=True)
        )
        gone = " and has resigned" if seat in self.view.resigned else ""
        return f"{self.names[seat]} has {coins}: {short(self.end.score[seat])}{gone}."

    def seat(self, seat: int) -> Iterator[svg.Element]:
        """Draw a seat's name, its coins below the colours, the weakest ringed if it counts, and its score."""
        theme, won, purse = self.theme, seat == self.winner, self.view.coins[seat]
        colour, fill = (theme.gold, theme.seat_soft(seat)) if won else (theme.muted, theme.inset)
        line = theme.gold if won else theme.line
        yield box(2, 2, _WIDE - 4, _ROW - 8, fill=fill, line=line, thick=2.5 if won else 1, radius=11)
        yield from seat_badge(28, 22, SEAT_LETTERS[seat], theme.seat(seat), theme, size=26)
        name = self.names[seat] + (", resigned" if seat in self.view.resigned else "")
        yield text(50, 22, name, size=20, fill=colour, bold=won, anchor="start", width=380)
        for place, coins in enumerate(purse):
            x = _FIRST + place * _STEP
            if self.weakest_counts and coins == min(purse):
                yield box(x - 38, 40, 76, 33, fill="none", line=colour, thick=2, radius=16, dash=(5, 3))
            yield _figure(coins, x, 56, 24, 68, theme.ink if won else theme.muted, "middle")
        yield _figure(self.end.score[seat], _SCORE, 39, 46, 84, colour, "end")

    @property
    def weakest_counts(self) -> bool:
        """True if the weakest colour is the score or decided between equal scores."""
        first, second = _best_two(self.end)
        equal = self.end.score[first] == self.end.score[second] and not _was_first(self.view, first, second)
        return self.view.options.score == "weakest" or (
            equal and min(self.view.coins[first]) != min(self.view.coins[second])
        )


def _figure(number: int, x: float, y: float, size: float, room: float, fill: str, anchor: str) -> svg.Element:
    """Draw the number, smaller if it is wider than `room`."""
    digits = short(number)
    shrunk = min(size, size * room / width_of(digits, size))
    return text(x, y, digits, size=shrunk, fill=fill, bold=True, anchor=anchor)
