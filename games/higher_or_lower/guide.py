"""The content of the rules page: a turn of calls in pictures, the fruits, and the spaces."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import svg

from games.drawing.elements import picture
from games.drawing.themes import Theme
from games.higher_or_lower.figures import face, front
from games.higher_or_lower.fruits import fruit, fruit_stamps
from games.higher_or_lower.lesson import LESSON
from games.higher_or_lower.pieces import ALLOWED, SUITS, listed
from games.higher_or_lower.spaces import call_mark
from games.higher_or_lower.state import Turned
from games.kernel import HOST, Figure, Guide, Script, Shelf, Thing

_UPPER: Final = (0, 0, 625, 392)
"""The rectangle of the board's first three rows."""


def _fruit(suit: str, theme: Theme) -> str:
    return picture("", 100, 88, [fruit_stamps(theme), fruit(suit, 50, 44, 72)], theme, ground=None)


def _boards(suit: str) -> str:
    taken = [board for board, suits in ALLOWED.items() if suit in suits]
    return f"Numbers 1 to 10. Lies on boards {listed(taken)}."


def _thing(drawn: Callable[[Theme], Sequence[svg.Element]]) -> Callable[[Theme], str]:
    return lambda theme: picture("", 104, 104, [fruit_stamps(theme), *drawn(theme)], theme, ground=None)


def _space(code: str, theme: Theme) -> list[svg.Element]:
    return list(front(code, 2, 2, 100, theme))


def _open(theme: Theme) -> list[svg.Element]:
    return list(face("B7", 2, 2, 100, theme, now=True))


def _call(call: str, is_right: bool, theme: Theme) -> list[svg.Element]:
    return list(call_mark(Turned(0, call, is_right), 52, 52, 34, theme))  # type: ignore[arg-type]


GUIDE: Final = Guide(
    lead="Each of you lays fifty cards on five boards, face down and group by group. You know which cards are in a"
    " group of yours, not where each lies. Then you turn them up from neighbour to neighbour, and call each one"
    " higher or lower than the last:",
    point="a right call is a point, and three boards won win the match.",
    facts=(("2", "players"), ("50", "cards each"), ("5", "boards, three to win")),
    cover_script=Script(
        LESSON.seed,
        f"{LESSON.script(len(LESSON.steps)).moves}; flip a2; S H; S H; flip c5; W L; N H; E L",
    ),
    cover=Figure(
        alt="A board of five rows of five spaces in the middle of a round: some cards lie open, the others show the"
        " colour and the shape of their space.",
        named=(
            ("b1", "Face down: a cyan space, so Greta’s card"),
            ("a4", "A pink space: Jonas’s card"),
            ("e4", "Grey belongs to nobody; a turn begins there"),
            ("c2", "Open, with its number and its fruit"),
        ),
    ),
    example_title="A turn of calls in four pictures",
    example_says="Greta plays against Jonas, on board A.",
    example_script=LESSON.script(2),
    example=(
        Figure(
            title="Before play.",
            says="Greta gives the squares of board A the apples 4, 6 and 8. The dealer shuffles them over those three"
            " spaces.",
            alt="Greta’s groups on board A: circles, squares with the apples 4, 6 and 8, and triangles.",
            then="assign A square A4 A6 A8; " + LESSON.moves(3, 5),
            viewer=HOST,
            part="seat-0",
            holds=lambda state: state.board == "A" and state.group_of(0, "A", "square").cards == ("A4", "A6", "A8"),
        ),
        Figure(
            title="A call that can’t fail.",
            says="She turns up a grey card, a 2. Below it lies one of her squares, 4, 6 or 8: higher, whichever it"
            " is. It is the 8, and a point.",
            alt="The first three rows of the board. Below a grey 2 an 8 lies open, with an arrow up between them.",
            then="flip c1; S H",
            window=_UPPER,
            points=("c2",),
            holds=lambda state: (
                (state.cards_open["A"][2], state.cards_open["A"][7]) == ("A2", "A8") and state.points == (1, 0)
            ),
        ),
        Figure(
            title="On, and stop in time.",
            says="To the right one of her triangles, lower: a 3. Above it the next square, higher: a 6. With three"
            " points she stops.",
            alt="Beside the 8 a 3 lies open, and above it a 6; arrows show the calls.",
            then="E L; N H; stop",
            window=_UPPER,
            points=("d1",),
            holds=lambda state: (
                (state.cards_open["A"][8], state.cards_open["A"][3]) == ("B3", "A6") and state.points == (3, 0)
            ),
        ),
        Figure(
            title="A wrong call.",
            says="Jonas turns up a 6 and calls the card beside it lower. It is a 7: his turn ends without a point, and"
            " Greta’s three stay hers.",
            alt="In the third row a 6 lies open, and to its left a 7, with a struck out arrow down between them.",
            then="flip c3; W L",
            window=_UPPER,
            points=("b3",),
            holds=lambda state: state.points == (3, 0) and state.chain[-1].correct is False and state.mover == 0,
        ),
    ),
    turn=(
        "Turn up a grey card of the board.",
        "Name a face-down card beside it, above, below, left or right, and call it higher or lower.",
        "Right: a point, and you may go on from the card just turned, or stop. Equal is wrong.",
        "Wrong: the turn ends, and the points stay. It also ends with the eighth card.",
    ),
    shelves=(
        Shelf(
            "Five fruits",
            "You own the numbers 1 to 10 of each. A group takes one fruit, or all of different fruits and numbers.",
            tuple(Thing(name, _boards(suit), partial(_fruit, suit)) for suit, name in SUITS.items()),
        ),
        Shelf(
            "What lies on a board",
            "The spaces of one colour and one shape are a group.",
            (
                Thing("Cyan, one bar", "Cards of the seat that plays cyan.", _thing(partial(_space, "cC"))),
                Thing("Pink, two bars", "Cards of the seat that plays pink.", _thing(partial(_space, "pT"))),
                Thing(
                    "Grey",
                    "The dealer’s cards, of the board’s own fruit. Turns begin here.",
                    _thing(partial(_space, "gS")),
                ),
                Thing("An open card", "Its number is what calls are about.", _thing(_open)),
                Thing("Higher", "A right call: a point.", _thing(partial(_call, "higher", True))),
                Thing("Lower, wrong", "Struck out: the turn is over.", _thing(partial(_call, "lower", False))),
            ),
            "broad",
        ),
    ),
    ends=(
        "A board is done at the end of the turn in which its last grey card came to lie open. More points win it.",
        "With as many points each, the seat that went second on it wins it.",
        "Who lost a board chooses the next one, and whether to go first or second.",
        "Three boards win the match.",
    ),
)
