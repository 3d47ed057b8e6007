"""The board as a picture, in parts, and as tables: the rows, the card to place and the seats' areas."""

from collections.abc import Collection, Sequence

from games.drawing.elements import group, picture
from games.drawing.headlines import ended
from games.drawing.scene import Scene
from games.drawing.texttable import TextTable
from games.drawing.themes import Theme
from games.kernel import Outcome, Part, Witness, quantity
from games.pentagram.areas import BESIDE_WIDE, DRAWN_HIGH, Areas, short
from games.pentagram.finale import finale, score_words
from games.pentagram.pieces import COLOURS, LEFT_TO_RIGHT, spoken
from games.pentagram.rules import outcome, over, score
from games.pentagram.state import State
from games.pentagram.tableau import TABLEAU_HIGH, TABLEAU_WIDE, Tableau, price, space_words

_EDGE = 12


class PentagramBoard:
    """Draws a witness's view: the card to place, the five rows, and every seat's coins and workers."""

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
        """Return the picture; `targets` and `last` name spaces."""
        return _Drawing(view, viewer, theme, names, targets, last).picture()

    def parts(
        self,
        view: State,
        *,
        viewer: Witness,
        theme: Theme,
        names: Sequence[str],
        targets: Collection[str] = (),
        last: Collection[str] = (),
    ) -> tuple[Part, ...]:
        """Return the rows, the card to place, and every seat's coins and workers."""
        return _Drawing(view, viewer, theme, names, targets, last).parts()

    def tables(self, view: State, *, viewer: Witness, names: Sequence[str]) -> tuple[TextTable, ...]:
        """Return the rows from space 4 to space 0, and every seat's coins and workers."""
        heads = ("Row", *(_head(space) for space in LEFT_TO_RIGHT))
        rows = tuple(
            (colour, *(space_words(view, row, space, names) for space in LEFT_TO_RIGHT))
            for row, colour in enumerate(COLOURS)
        )
        areas = tuple(
            (names[seat], *map(str, view.coins[seat]), str(view.hands[seat]), str(scored), _action(view, seat))
            for seat, scored in score(view).items()
        )
        area_heads = ("Player", *COLOURS, "workers in hand", f"score ({view.options.score})", "does")
        return TextTable(_status(view, names), heads, rows), TextTable("What every seat has", area_heads, areas)

    def headline(self, view: State, *, names: Sequence[str]) -> str:
        """Return the seat on turn and the number of cards left, or the result."""
        return _headline(view, names)

    def finale(self, view: State, *, viewer: Witness, theme: Theme, names: Sequence[str]) -> str | None:
        """Draw the coins of every seat, and the deciding criterion."""
        return finale(view, theme, names)

    def score(self, view: State, outcome: Outcome) -> str:
        """Return the scores, or the criterion that decided between equal ones."""
        return score_words(view, outcome)


BOARD = PentagramBoard()


class _Drawing(Scene[State]):
    @property
    def title(self) -> str:
        return f"Pentagram 2. {_headline(self.view, self.names)}."

    @property
    def scenes(self) -> tuple[Tableau, Areas]:
        arguments = (self.view, self.viewer, self.theme, self.names, self.targets, self.last)
        return Tableau(*arguments), Areas(*arguments)

    def parts(self) -> tuple[Part, ...]:
        tableau, areas = self.scenes
        rows = picture(self.title, TABLEAU_WIDE, TABLEAU_HIGH, tableau.elements(), self.theme)
        seats = picture(
            "What every seat has",
            BESIDE_WIDE,
            areas.height(areas.lines),
            areas.seats(areas.lines),
            self.theme,
            ground=None,
        )
        drawn = areas.drawn(is_cell=True)
        card = picture("The card to place", BESIDE_WIDE, DRAWN_HIGH, drawn, self.theme, ground=None)
        card_parts = [] if over(self.view) else [Part("card", card)]
        return (Part("table", rows), *card_parts, Part("coins", seats))

    def picture(self) -> str:
        """Draw the card and the seats side by side, with the rows below."""
        tableau, areas = self.scenes
        top = areas.height(2) + 2 * _EDGE
        elements = [
            group(*areas.drawn(is_cell=False), x=_EDGE, y=_EDGE),
            group(*areas.seats(2), x=TABLEAU_WIDE - _EDGE - BESIDE_WIDE, y=_EDGE),
            group(*tableau.elements(), y=top),
        ]
        return picture(self.title, TABLEAU_WIDE, top + TABLEAU_HIGH, elements, self.theme)


def _head(space: int) -> str:
    return f"costs {price(space)}" if space else "0, free"


def _action(view: State, seat: int) -> str:
    if seat in view.resigned:
        return "has resigned"
    end = outcome(view)
    if end is not None:
        return "wins the match" if seat in end.winners else ""
    return f"places {spoken(view.card)}" if seat == view.turn and view.card else ""


def _headline(view: State, names: Sequence[str]) -> str:
    end = outcome(view)
    if end is not None:
        return ended(end, names)
    if view.turn is None or view.card is None:
        return "The dealer is at work"
    return f"Turn {view.turns}, {quantity(view.left, 'card')} left: {names[view.turn]} places a card"


def _status(view: State, names: Sequence[str]) -> str:
    end = outcome(view)
    if end is not None:
        return f"{names[end.winners[0]]} wins with {short(score(view)[end.winners[0]])}."
    if view.turn is None or view.card is None:
        return "The dealer is at work."
    left = quantity(view.left, "card is", "cards are")
    return f"Turn {view.turns}: {names[view.turn]} places {spoken(view.card)}; {left} left."
