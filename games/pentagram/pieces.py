"""The material: five colours, the tableau's spaces and the sixty cards, with their notation."""

from itertools import permutations
from typing import Literal, NamedTuple, NewType, get_args

Colour = Literal["orange", "yellow", "black", "purple", "blue"]
COLOURS: tuple[Colour, ...] = get_args(Colour)
ROW = {colour: row for row, colour in enumerate(COLOURS)}

LETTERS: dict[Colour, str] = {"orange": "O", "yellow": "Y", "black": "K", "purple": "P", "blue": "B"}
COLOUR_OF: dict[str, Colour] = {
    **{letter.lower(): colour for colour, letter in LETTERS.items()},
    **{colour: colour for colour in COLOURS},
}
"""Colours by letter or name, in lower case."""

SPACES = range(5)
LEFT_TO_RIGHT = (4, 3, 2, 1, 0)

Card = NewType("Card", str)
"""`orange>blue+` adds the orange coins to the blue ones, `orange>blue-` takes them off."""


class Face(NamedTuple):
    """The effect of a card: the rows of the colours that it reads and changes, and whether it adds."""

    source: int
    target: int
    adds: bool

    def pay(self, coins: tuple[int, ...]) -> int:
        """Return the target colour's coins after this card has paid one seat."""  # R6
        if self.adds:
            return coins[self.target] + coins[self.source]
        return max(1, coins[self.target] - coins[self.source])


def _card(source: Colour, target: Colour, sign: str) -> Card:
    return Card(f"{source}>{target}{sign}")


FACES: dict[Card, Face] = {
    _card(source, target, sign): Face(ROW[source], ROW[target], sign == "+")
    for source, target in permutations(COLOURS, 2)
    for sign in "+-"
}

DECK: tuple[Card, ...] = tuple(
    _card(source, target, sign) for source, target in permutations(COLOURS, 2) for sign in "++-"
)  # R1


def short(card: Card) -> str:
    """Convert `orange>blue+` to `O>B+`."""
    face = FACES[card]
    return f"{LETTERS[COLOURS[face.source]]}>{LETTERS[COLOURS[face.target]]}{card[-1]}"


def spoken(card: Card) -> str:
    """Return a card in words: `orange feeds blue`."""
    face = FACES[card]
    return f"{COLOURS[face.source]} {'feeds' if face.adds else 'drains'} {COLOURS[face.target]}"
