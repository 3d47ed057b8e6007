"""The content of a game's rules page for newcomers: a position, a worked example, its cards or pieces."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import Any, Final

from games.kernel.witnesses import SPECTATOR, Witness

GUIDE_NAMES: Final = (
    "Greta", "Jonas", "Mira", "Tobias", "Ada", "Emil", "Paula", "Oskar", "Ida", "Anton", "Clara", "Felix", "Lotte",
    "Moritz", "Nora", "Arne", "Hanna", "Kaspar", "Lena", "Ruben", "Selma", "Theo", "Vera", "Wanda", "Xaver", "Yara",
    "Zeno", "Britta", "Dario", "Frida",
)  # fmt: skip
"""The names of the players in guides, by seat."""

Window = tuple[float, float, float, float]
"""A rectangle of a picture: left, top, width and height."""


@dataclass(frozen=True)
class Script:
    """A scripted match with a fixed seed.

    `moves` are commands in notation, joined by `; `. Each is made by the seat of the first prompt; the dealer's duties
    are performed after each.
    """

    seed: bytes
    moves: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    seats: int = 2


@dataclass(frozen=True)
class Figure:
    """A position of a script, as `viewer` sees it, with its text.

    - `then` are the moves made since the previous figure. With `until`, the position is the one after the first event
      of that type since then.
    - The picture is the board's `part`, or the `<svg>` that `draw(view, theme, names)` returns; `window` crops it.
    - `points` are cells marked with the ring of the last move. `named` are pairs of a place and its label; the picture
      shows them as numbers.
    - `holds(state)` is True if the text is true of the position; a test calls it.
    - `is_broad` gives the figure the width of two.
    """

    alt: str
    title: str = ""
    says: str = ""
    then: str = ""
    until: str = ""
    viewer: Witness = SPECTATOR
    part: str = "table"
    draw: Callable[[Any, Any, Sequence[str]], str] | None = None
    window: Window | None = None
    points: tuple[str, ...] = ()
    named: tuple[tuple[str, str], ...] = ()
    is_broad: bool = False
    holds: Callable[[Any], bool] | None = None


@dataclass(frozen=True)
class Thing:
    """A card, piece or spell: its name, its effect, and `draw(theme)`, which returns a whole `<svg>` of it."""

    name: str
    does: str
    draw: Callable[[Any], str]


@dataclass(frozen=True)
class Shelf:
    """Things of one kind. `look` is their layout: narrow `cards` with the text below, or the text `beside` the
    picture; `broad` is `beside` with more space.
    """

    title: str
    says: str
    things: tuple[Thing, ...]
    look: str = "cards"


@dataclass(frozen=True)
class Guide:
    """The content of a rules page.

    `lead` introduces the game and `point` says how it is won; `facts` are pairs of a number and its label. `cover` is a
    position in the middle of a match, `example` a short match in figures. `turn` and `ends` are plain sentences.
    """

    lead: str
    point: str
    facts: tuple[tuple[str, str], ...]
    cover_script: Script
    cover: Figure
    example_title: str
    example_says: str
    example_script: Script
    example: tuple[Figure, ...]
    turn: tuple[str, ...]
    shelves: tuple[Shelf, ...]
    ends: tuple[str, ...]


class GuideOf:
    """The `GUIDE` of a module, imported at the first use: it imports drawing code that most processes never need."""

    def __init__(self, module: str) -> None:
        self._module = module

    @cached_property
    def content(self) -> Guide:
        guide: Guide = import_module(self._module).GUIDE
        return guide
