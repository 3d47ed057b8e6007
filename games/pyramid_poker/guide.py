"""The content of the rules page: a match in pictures, the bricks, and the categories of hands."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import svg

from games.drawing.elements import box, picture
from games.drawing.materials import clay, slab, well
from games.drawing.themes import Theme
from games.kernel import Figure, Guide, Script, Shelf, Thing
from games.pyramid_poker.board import brick_face
from games.pyramid_poker.finale import finale
from games.pyramid_poker.lesson import LESSON
from games.pyramid_poker.pieces import Category
from games.pyramid_poker.state import State

SHOWN: Final[dict[Category, tuple[str, str]]] = {
    "straight_flush": ("5S 6S 7S 8S 9S", "Five in a row, all of one suit."),
    "four": ("8S 8H 8D 8C 3D", "Four of one value."),
    "full_house": ("7S 7H 7C 2D 2C", "Three of one value and two of another."),
    "flush": ("2C 4C 5C 9C 10C", "Five of one suit."),
    "straight": ("AH 2S 3D 4H 5C", "Five in a row. The ace is below the 2, never above the 10."),
    "three": ("9S 9H 9C 4D 2S", "Three of one value."),
    "two_pair": ("10H 10D 3S 3C 6H", "Two and two of one value."),
    "pair": ("6S 6D 9S 4H 2H", "Two of one value."),
    "high_card": ("10S 8H 5S 3D AC", "None of these: the highest brick counts, then the next."),
}
"""An example and a description of each category of hand, the best first."""

_CALLED: Final = {"four": "Four of a kind", "three": "Three of a kind"}
_SMALL: Final = 38
"""The size of a brick in an example hand."""


def _brick(drawn: Callable[[Theme], Sequence[svg.Element]]) -> Callable[[Theme], str]:
    return lambda theme: picture("", 97, 80, drawn(theme), theme, ground=None)


def _own(theme: Theme) -> list[svg.Element]:
    face = slab(2, 2, 93, 76, fill=theme.brick, edge=theme.brick_deep)
    return [*face, _bar(0, theme), *brick_face("7S", 48, 38, 27, theme, plain=True)]


def _hidden(theme: Theme) -> list[svg.Element]:
    return [*clay(2, 2, 93, 76, theme), _bar(1, theme)]


def _bar(seat: int, theme: Theme) -> svg.Element:
    return box(7 if seat == 0 else 85, 12, 5, 52, fill=theme.seat(seat), radius=2)


def _drawn(theme: Theme) -> list[svg.Element]:
    face = slab(2, 2, 93, 76, fill=theme.card, edge=theme.card_deep, line=theme.turn, thick=2.5, radius=10)
    return [*face, *brick_face("3C", 48, 38, 34, theme)]


def _place(theme: Theme) -> list[svg.Element]:
    return well(2, 2, 93, 76, theme)


def _hand(bricks: str, theme: Theme) -> str:
    drawn: list[svg.Element] = []
    for number, brick in enumerate(bricks.split()):
        x = 1 + number * (_SMALL + 4)
        drawn += slab(
            x, 1, _SMALL, _SMALL + 2, fill=theme.card, edge=theme.card_deep, line=theme.card_line, radius=5, deep=3
        )
        drawn += brick_face(brick, x + _SMALL / 2, 20, 15.5, theme)
    return picture("", 5 * _SMALL + 18, _SMALL + 5, drawn, theme, ground=None)


def _compared(view: State, theme: Theme, names: Sequence[str]) -> str:
    return finale(view, theme, names) or ""


GUIDE: Final = Guide(
    lead="Together you build a pyramid out of thirty bricks. You know the value of your own, and not of the other’s."
    " Then you take it down in turns, and what you draw goes into one of your three poker hands:",
    point="hand against hand is compared, and who takes more of the three wins.",
    facts=(("2", "players"), ("30", "bricks"), ("3", "hands of five each")),
    cover_script=Script(
        b"guide",
        "first 0; place A4; place A1; place A5; place A3; place A8; place A2; place A6; place B1; place B4; place B5;"
        " place B3; place A7; place B6; place C3; place B7; place C6; place C5; place D5; place B2; place C1; place C4;"
        " place D4; place C2; place D3; place D2; place E2; place E3; place D1; place E1; place F2; draw E1; hand 3;"
        " draw D5; hand 3",
    ),
    cover=Figure(
        alt="A pyramid in the middle of a match: some bricks show their value, some their backs, and the top is being"
        " taken down.",
        viewer=0,
        window=(0, 160, 826, 524),
        named=(
            ("F2", "Nothing rests on it: it may be drawn"),
            ("D2", "Greta’s brick, with a blue bar: she knows it"),
            ("C1", "Jonas’s, with an orange bar: only he knows it"),
            ("B3", "It comes out late: two bricks rest on it"),
        ),
    ),
    example_title="From brick to hand in four pictures",
    example_says="Greta plays against Jonas. You look over her shoulder.",
    example_script=LESSON.script(5),
    example=(
        Figure(
            title="Build.",
            says="Greta gets the 9 of spades, which only she sees. It rests on her 5 and her 6.",
            alt="The lowest rows of the pyramid. The 9 of spades has been placed on the 5 and the 6 of spades; two of"
            " Jonas’s bricks show their backs.",
            then="place B3",
            until="brick_placed",
            viewer=0,
            window=(200, 505, 420, 180),
            points=("B3",),
            holds=lambda state: [state.spaces[space].brick for space in ("B3", "A3", "A4")] == ["9S", "5S", "6S"],
        ),
        Figure(
            title="Take down.",
            says="Thirty bricks stand. Greta draws F3, on which nothing rests: a 3 of clubs, and both see it. Nothing"
            " rests on E3 and E4 any more.",
            alt="The upper rows of the pyramid. The place F3 at its top is empty now; E3 and E4 below it are free.",
            then=f"{LESSON.steps[5].then}; draw F3",
            viewer=0,
            window=(170, 160, 486, 250),
            points=("F3",),
            holds=lambda state: state.held.brick == "3C" and "F3" not in state.spaces,
        ),
        Figure(
            title="Into a hand.",
            says="Each drawn brick goes into a hand at once and stays there. Two clubs in hand 3: the start of a"
            " flush.",
            alt="Greta’s three hands: the third one holds the 3 and the 9 of clubs.",
            then="hand 3; draw E2; hand 3; draw E4; hand 3",
            part="own",
            holds=lambda state: state.hands[0] == ((), (), ("3C", "9C")),
        ),
        Figure(
            title="Compare.",
            says="When all thirty have found a place: Greta’s pair beats a high card, Jonas’s straight beats two"
            " pair, Greta’s flush beats two pair. She wins by two hands to one.",
            alt="All hands side by side: Greta takes hands 1 and 3, Jonas takes hand 2.",
            then=LESSON.moves(10, 13).removeprefix("hand 3; "),
            draw=_compared,
            is_broad=True,
            holds=lambda state: [result.winner for result in state.results] == [0, 1, 0],
        ),
    ),
    turn=(
        "Building: you get a brick from the bag, and put it into the lowest row or onto two bricks that stand.",
        "Taking down: you draw a brick on which nothing rests, yours or the other’s. Both see it.",
        "It goes into one of your three hands at once. A hand takes five bricks, and what lies there stays there.",
    ),
    shelves=(
        Shelf(
            "What stands on the table",
            "Forty bricks, ace to 10 in four suits. Ten stay in the bag, and nobody sees them.",
            (
                Thing("Your brick", "You placed it, so you know its value. The bar on the left is blue.", _brick(_own)),
                Thing("The other’s brick", "You see who placed it, not its value. The bar is orange.", _brick(_hidden)),
                Thing("A drawn brick", "It lies open for all, and has to go into a hand.", _brick(_drawn)),
                Thing("An empty place", "Six of 36 places stay empty, wherever you leave them.", _brick(_place)),
            ),
            "beside",
        ),
        Shelf(
            "Nine kinds of hand, the best first",
            "Suits never count; among equals the higher values decide. The ace is the lowest.",
            tuple(
                Thing(_CALLED.get(kind, kind.replace("_", " ").capitalize()), does, partial(_hand, bricks))
                for kind, (bricks, does) in SHOWN.items()
            ),
            "broad",
        ),
    ),
    ends=(
        "When the last brick has found its hand, hand 1 is compared with hand 1, 2 with 2, 3 with 3.",
        "More hands win the match; a tied pair counts for nobody.",
        "With as many hands each, the seat that had the priority wins.",
    ),
)
