"""The content of the rules page: a row that closes, in pictures, and the cards, workers and coins."""

from collections.abc import Callable, Sequence
from typing import Final

import svg

from games.drawing.elements import picture, text
from games.drawing.materials import well
from games.drawing.themes import Theme
from games.kernel import Figure, Guide, Script, Shelf, Thing
from games.pentagram.figures import HIGH, WIDE, card_face, chip, worker
from games.pentagram.lesson import LESSON
from games.pentagram.pieces import COLOURS, Card

_ROWS: Final = (0, 0, 646, 324)
"""The rectangle of the first three rows, with their prices."""


def _thing(drawn: Callable[[Theme], Sequence[svg.Element]], wide: float = WIDE + 4) -> Callable[[Theme], str]:
    return lambda theme: picture("", wide, HIGH + 4, drawn(theme), theme, ground=None)


def _feeds(theme: Theme) -> list[svg.Element]:
    return list(card_face(Card("orange>yellow+"), 2, 2, theme))


def _drains(theme: Theme) -> list[svg.Element]:
    return list(card_face(Card("black>purple-"), 2, 2, theme))


def _working(theme: Theme) -> list[svg.Element]:
    standing = [part for seat in (0, 1) for part in worker(seat, "", WIDE - 54 + 34 * seat, HIGH - 7, theme, size=30)]
    return [*card_face(Card("yellow>blue+"), 2, 2, theme, word=False), *standing]


def _priced(theme: Theme) -> list[svg.Element]:
    return [
        *well(2, 2, WIDE, HIGH, theme, radius=9),
        text(2 + WIDE / 2, HIGH / 2, "2", size=26, fill=theme.muted, bold=True),
    ]


def _colours(theme: Theme) -> list[svg.Element]:
    return [chip(colour, 22 + number * 43, HIGH / 2 + 2, 19, theme) for number, colour in enumerate(COLOURS)]


GUIDE: Final = Guide(
    lead="You hold coins of five colours. Each turn brings a card that all can see: one colour feeds another, or drains"
    " it. It goes into a row, and you may put a worker on it. When a row is closed its cards pay, and",
    point="only who has a worker there is paid. The most coins win.",
    facts=(("2-5", "players"), ("60", "cards"), ("5", "colours of coins")),
    cover_script=Script(
        b"guide 48",
        "Y0 w; B0 w; B0 w; P0 w; Y1 w; P1 w; O1 w; O0 w; O0 w; O2 w; P0 w; B1 w; O0; O1 w; K1 w; K2; Y3",
        seats=3,
    ),
    cover=Figure(
        alt="Five rows of five spaces in the middle of a match of three: cards lie in the rows, and workers stand on"
        " some of them.",
        named=(
            ("Y3", "A card that waits in the yellow row"),
            ("Y1", "A worker on its card: it will be paid"),
            ("K0", "The gap: a card here closes the row"),
            ("P4", "An empty space and what a worker costs"),
        ),
    ),
    example_title="A row closes, in four pictures",
    example_says="Greta plays against Jonas. Each holds one coin of each colour; Greta has a second yellow one.",
    example_script=LESSON.script(6),
    example=(
        Figure(
            title="A card waits.",
            says="Yellow feeds purple. Greta lays it on the yellow 1, and pays 1 yellow coin for a worker on it.",
            alt="The first three rows. On the yellow space 1 lies the card yellow feeds purple, with Greta’s worker.",
            then="Y1 w",
            until="worker_placed",
            window=_ROWS,
            points=("Y1",),
            holds=lambda state: state.workers[1][1] == (0,) and state.coins[0] == (1, 1, 1, 1, 1),
        ),
        Figure(
            title="The gap is filled.",
            says="Black feeds yellow. On the yellow 0 it closes the row. A worker costs nothing there.",
            alt="The yellow row holds cards on 1 and on 0 now, each with a worker of Greta’s.",
            then="K3; Y0 w",
            until="worker_placed",
            window=_ROWS,
            points=("Y0",),
            holds=lambda state: state.workers[1][:2] == ((0,), (0,)),
        ),
        Figure(
            title="From the left, each card pays.",
            says="First yellow feeds purple: her 1 yellow coin is added to purple, which makes 2. The worker walks on"
            " to the 0.",
            alt="The card on the yellow space 1 is gone; both of Greta’s workers stand on the 0.",
            until="space_paid",
            window=_ROWS,
            points=("Y0",),
            holds=lambda state: state.workers[1][:2] == ((0, 0), ()) and state.coins[0] == (1, 1, 1, 2, 1),
        ),
        Figure(
            title="Then the next one pays.",
            says="Black feeds yellow: 1 more, which makes 2. Both workers come home, and Greta holds 7 coins against"
            " 5.",
            alt="The coins: Greta has two yellow and two purple ones and seven in all, Jonas has five.",
            part="coins",
            holds=lambda state: state.coins == ((1, 2, 1, 2, 1), (1, 1, 1, 1, 1)) and state.hands[0] == 3,
        ),
    ),
    turn=(
        "The top card of the deck is opened. You put it on any empty space of any row.",
        "You may put a worker on it. It costs as many coins of the row’s colour as the space says, and one coin must"
        " stay.",
        "A card pays when every space to its right holds a card. It pays each seat with a worker on it, and is gone.",
        "Its workers walk one space to the right and are paid there again. From the 0 they come home.",
    ),
    shelves=(
        Shelf(
            "What lies on the table",
            "The colour of a row says what a worker is paid for with, nothing else.",
            (
                Thing(
                    "It feeds", "As many coins as you have of the first colour are added to the second.", _thing(_feeds)
                ),
                Thing("It drains", "As many are taken off the second. One coin always stays.", _thing(_drains)),
                Thing(
                    "Workers", "Three each. They stand together, and each seat there is paid once.", _thing(_working)
                ),
                Thing("A space", "Its number is the price of a worker: 4 coins to none.", _thing(_priced)),
                Thing("Five colours", "You begin with one coin of each.", _thing(_colours, 216)),
            ),
            "broad",
        ),
    ),
    ends=(
        "When the last of the sixty cards has been placed, the match is over.",
        "All coins count, whatever their colour, and most coins win.",
        "Among equals: more coins of the weakest colour, then more colours with two or more.",
    ),
)
