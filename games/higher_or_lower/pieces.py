"""The material: fifty cards per seat, and five boards of coloured, shaped spaces."""

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct

Colour = Literal["cyan", "pink"]
Shape = Literal["circle", "square", "triangle"]
Direction = Literal["north", "south", "east", "west"]
Call = Literal["higher", "lower"]
Order = Literal["first", "second"]
Reason = Literal["wrong", "limit", "stuck", "stopped", "flag"]
Row = tuple[str, str, str, str, str]
Rows = tuple[Row, Row, Row, Row, Row]

BOARDS = ("A", "B", "C", "D", "E")
COLOURS: tuple[Colour, ...] = ("cyan", "pink")
SHAPES: tuple[Shape, ...] = ("circle", "square", "triangle")
DIRECTIONS: dict[Direction, tuple[int, int]] = {
    "north": (-1, 0),
    "south": (1, 0),
    "east": (0, 1),
    "west": (0, -1),
}
CALLS: tuple[Call, ...] = ("higher", "lower")
ORDERS: tuple[Order, ...] = ("first", "second")

SIDE = 5
SUITS = {"A": "Apple", "B": "Blueberry", "C": "Clementine", "D": "Durian", "E": "Elderberry"}
NUMBERS = range(1, 11)

COLOUR_OF = {"c": "cyan", "p": "pink", "g": "grey"}
SHAPE_OF: dict[str, Shape] = {"C": "circle", "S": "square", "T": "triangle"}
CODES = frozenset(colour + shape for colour in COLOUR_OF for shape in SHAPE_OF)

NUMBER_OF = {f"{suit}{number}": number for suit in SUITS for number in NUMBERS}
"""The number of each card by its code, such as `B8`; sorted by suit, then by number."""
RANK_OF = {card: rank for rank, card in enumerate(NUMBER_OF)}

ALLOWED = {board: "".join(sorted("EABCDEA"[i : i + 3])) for i, board in enumerate(BOARDS)}
"""The suits allowed on each board: its own, and the two beside it in the ring A, B, C, D, E."""


class Group(Struct, frozen=True):
    """The cards for a board's spaces of one shape in the seat's colour, sorted by suit, then by number."""

    board: str
    shape: Shape
    cards: tuple[str, ...]


class Boards(Struct, frozen=True, forbid_unknown_fields=True, cache_hash=True):
    """The five boards: rows from the north, spaces from the west, each a code such as `pC` or `gT`."""

    A: Rows
    B: Rows
    C: Rows
    D: Rows
    E: Rows


def rows_of(items: tuple[str, ...]) -> Rows:
    """Return 25 items, starting at the north-west space, as five rows of five."""
    return tuple(items[i : i + SIDE] for i in range(0, SIDE * SIDE, SIDE))  # type: ignore[return-value]


def space_name(row: int, col: int) -> str:
    """Return a space's name: column a to e from the west, then row 1 to 5 from the north; `c3` is the middle."""
    return f"{chr(ord('a') + col - 1)}{row}"


def spoken(card: str) -> str:
    """Return a card in words: `Blueberry 8`."""
    return f"{SUITS[card[0]]} {NUMBER_OF[card]}"


def spoken_cards(cards: Iterable[str]) -> str:
    """Return cards in words, by suit: `Apple 2, 7 and 9; Blueberry 8`."""
    by_suit: dict[str, list[str]] = {}
    for card in cards:
        by_suit.setdefault(card[0], []).append(str(NUMBER_OF[card]))
    return "; ".join(f"{SUITS[suit]} {listed(numbers)}" for suit, numbers in by_suit.items())


def listed(words: Sequence[str]) -> str:
    """Join words by commas, the last one by "and": `2, 7 and 9`."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def sorted_cards(cards: tuple[str, ...]) -> tuple[str, ...]:
    """Return the cards by suit, then by number."""
    return tuple(sorted(cards, key=RANK_OF.__getitem__))


_PICTURE = """
pC cT gT cS cC   cT pS cS gS cC   cT cS cS pC gC   cC cT pC cS cC   cS pS pC cT cS
gS pC cS cT cC   pC gC pT pS pC   gT pT cC pS cT   gC cT pC gT pC   cT cT cC gT cT
cS pT gC cT pS   cT pT gS cT pT   pS cC gS pC cS   cT cS gC pS pT   gC cS gS pS gC
pC pT pS cC gS   cC cS cT gC cC   pT cS pC cT gT   cC gT cC pT gC   pT gT pC pT pT
pC pS gT pT cC   pC gS pS cS pT   gC cC pS pS pT   pC pS cC pT pC   pS pT cC cS pS
"""


def _parse_boards(picture: str) -> Boards:
    lines = [line.split() for line in picture.strip().split("\n")]
    boards = ([line[west : west + SIDE] for line in lines] for west in range(0, len(lines[0]), SIDE))
    return Boards(*(rows_of(tuple(code for row in board for code in row)) for board in boards))


DEFAULT_BOARDS = _parse_boards(_PICTURE)
"""The default boards. A rotation by 180 degrees exchanges cyan and pink, so neither colour is better."""
