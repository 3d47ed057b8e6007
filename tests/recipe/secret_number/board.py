"""The board: each seat's guess as a picture and as a table."""

from collections.abc import Collection, Iterator, Sequence

import svg

from games.drawing.elements import box, picture, seat_badge, text
from games.drawing.headlines import ended
from games.drawing.texttable import TextTable
from games.drawing.themes import SEAT_LETTERS, Theme
from games.kernel import Witness
from tests.recipe.secret_number import State, outcome

_A_ROW, _WIDE, _HIGH = 6, 90, 60


class NumbersBoard:
    """Draws one box for each seat."""

    def draw(
        self,
        view: State,
        *,
        viewer: Witness,
        theme: Theme,
        names: Sequence[str],
        targets: Collection[str] = (),
        last: Collection[str] = (),
    ) -> str:
        """Return the picture."""
        height = (view.seats + _A_ROW - 1) // _A_ROW * _HIGH
        title = f"Secret Number. {self.headline(view, names=names)}."
        return picture(title, _A_ROW * _WIDE, height, list(_boxes(view, theme)), theme)

    def tables(self, view: State, *, viewer: Witness, names: Sequence[str]) -> tuple[TextTable, ...]:
        """Return the table of guesses."""
        rows = tuple((name, _shown(guess)) for name, guess in zip(names, view.guesses, strict=True))
        return (TextTable("Guesses", ("Player", "Guess"), rows),)

    def headline(self, view: State, *, names: Sequence[str]) -> str:
        """Return who must guess, or the result."""
        end = outcome(view)
        return "The guesses are open" if end is None else ended(end, names)


BOARD = NumbersBoard()


def _boxes(view: State, theme: Theme) -> Iterator[svg.Element]:
    for seat, guess in enumerate(view.guesses):
        x, y = seat % _A_ROW * _WIDE, seat // _A_ROW * _HIGH
        yield box(x + 2, y + 2, _WIDE - 4, _HIGH - 4, fill=theme.seat_soft(seat), line=theme.seat(seat))
        yield from seat_badge(x + 22, y + 30, SEAT_LETTERS[seat], theme.seat(seat), theme, size=28)
        yield text(x + 62, y + 30, _shown(guess), size=15, fill=theme.ink)


def _shown(guess: object) -> str:
    return "-" if guess is None else "?" if guess == "hidden" else str(guess)
