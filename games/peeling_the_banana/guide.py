"""The content of the rules page: the first turns of a match in pictures, and every card and upgrade."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final

from games.drawing.elements import group, picture
from games.drawing.themes import Theme
from games.kernel import Figure, Guide, Script, Shelf, Thing, quantity
from games.peeling_the_banana.card_drawing import face_of
from games.peeling_the_banana.lesson import LESSON
from games.peeling_the_banana.pieces import COINS, SHAPES, SPECIALS, UPGRADES
from games.peeling_the_banana.rules import score
from games.peeling_the_banana.state import reach
from games.peeling_the_banana.words import NAMES

_TIP: Final = (440, 0, 250, 330)
"""The right end of the sheet, with the banana's tip: left, top, width and height."""

_EFFECTS: Final = {
    **{kind: f"Fills {quantity(len(shape), 'space')}." for kind, shape in SHAPES.items()},
    "bite": "Fills any one empty space of yours.",
    "seconds": "Play another card in this turn.",
    "slip": "A card is no longer for the other to play.",
    "graft": "A card that only the other may play is for both.",
    "regrow": "A card of the discard goes on top of the deck.",
    "tumble": "Deck and discard are shuffled together.",
    "income": "A coin more in each of your turns. Twice at most.",
    "reach": "One card more to choose from. Twice at most.",
    "haggle": "All you buy costs a coin less, but never nothing.",
}


def _face(kind: str) -> Callable[[Theme], str]:
    return partial(_draw_face, kind)


def _draw_face(kind: str, theme: Theme) -> str:
    size = 2.1 if kind in SHAPES else 2.6
    return picture("", 100, 92, [group(*face_of(kind, theme), x=50, y=46, scale=size)], theme, ground=None)


def _things(kinds: Iterable[str], effect_of: Callable[[str], str] = _EFFECTS.__getitem__) -> tuple[Thing, ...]:
    return tuple(Thing(NAMES[kind], effect_of(kind), _face(kind)) for kind in kinds)


def _filled(rows: Sequence[str]) -> int:
    """Return the number of filled spaces; `.` is outside the banana, and `#` is an empty space."""
    return sum(space not in ".#" for row in rows for space in row)


GUIDE: Final = Guide(
    lead="Each of you covers a banana of forty spaces with pieces from one deck, which lies open between you. You"
    " choose among its first three cards, and the cards above the one you take are gone.",
    point="At the end a filled space is a point, an empty one a point less.",
    facts=(("2", "players"), ("40", "spaces each"), ("25", "turns each")),
    cover_script=Script(
        b"guide",
        "first 0; play square4#1 @i3; end; play domino#3 @i3; buy reach; end; play bite#2 @k1; end; play seconds#1;"
        " play tee4#1 @h4; end; play line4#1 @b6; buy reach; end; play line3#2 @a5; end; play pent_p#1 @i5; end;"
        " play pent_v#1 @g5; buy reach; end; play skew4#1 @e6; end; play coins3#2; end",
    ),
    cover=Figure(
        alt="Greta’s banana in the middle of a match, less than half filled, with Jonas’s in small above it.",
        named=(
            ("k1", "A filled space: 1 point"),
            ("a4", "An empty space: 1 point less"),
            ("1 purse", "Jonas: his banana, points and coins"),
            ("0 purse", "Greta’s coins, for the shop"),
        ),
    ),
    example_title="Three turns in four pictures",
    example_says="Greta plays against Jonas.",
    example_script=LESSON.script(0),
    example=(
        Figure(
            title="What lies in reach.",
            says="Greta may take one of the first three cards of the deck: a bite, 2 coins or a square.",
            alt="Three cards side by side: a bite, 2 coins and a square.",
            viewer=0,
            part="reach",
            holds=lambda state: reach(state, 0) == ("bite#2", "coins2#1", "square4#1"),
        ),
        Figure(
            title="A piece is laid.",
            says="She takes the square and fills four spaces near the tip. The two cards above it go to the discard.",
            alt="The tip of Greta’s banana: the square lies on four spaces of it.",
            then="play square4#1 @j2",
            window=_TIP,
            holds=lambda state: _filled(state.boards[0]) == 4 and state.discard == ("bite#2", "coins2#1", "square4#1"),
        ),
        Figure(
            title="Coins, and the shop.",
            says="In her next turn she takes 3 coins, which makes 5, and buys a longer reach for 3. From now on she"
            " chooses among four cards.",
            alt="Four cards side by side: a pair, a pair, a line of three, and 3 coins.",
            then="end; play ell4#1 @h4 r90; end; play coins3#2; buy reach; end; 1 @d6; end",
            viewer=0,
            part="reach",
            holds=lambda state: state.upgrades[0].reach == 1 and len(reach(state, 0)) == 4,
        ),
        Figure(
            title="Without a gap.",
            says="The line of three fits below the square: seven spaces are filled. If the match ended now, Greta would"
            " have 7 points for them and 33 less for the empty ones.",
            alt="The tip of Greta’s banana: below the square three spaces in a line are filled as well.",
            then="play line3#2 @h4",
            window=_TIP,
            holds=lambda state: _filled(state.boards[0]) == 7 and score(state)[0] == 7 - 33,
        ),
    ),
    turn=(
        "You get a coin, and one more for each income you have bought.",
        "You play a card of your reach. A piece may be turned and mirrored, and may cover what is filled already.",
        "The card and all that lay above it go to the discard.",
        "Where the deck has too few cards for you to choose from, the discard is shuffled below it first.",
        "Then the shop is open: buy as much as you can pay. A card you buy comes back with the next shuffle.",
    ),
    shelves=(
        Shelf("Pieces", "Only spaces that were empty count.", _things(SHAPES)),
        Shelf(
            "Coins and specials",
            "Both of you may play every card, as long as no special or purchase has changed it.",
            (*_things(COINS, lambda kind: f"Brings {quantity(COINS[kind], 'coin')}."), *_things(SPECIALS)),
        ),
        Shelf("What lasts", "Bought in the shop, for the rest of the match.", _things(UPGRADES)),
    ),
    ends=(
        "The match ends as soon as a banana is full, or when each of you has had 25 turns.",
        "Filled spaces less empty ones are your points. More points win.",
        "With as many points each, who didn’t start wins.",
    ),
)
