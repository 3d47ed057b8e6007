"""What a game tells about itself to somebody who has never played it: a position, a worked example, its things."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import Any, Final

from games.kernel.witnesses import SPECTATOR, Witness

GUIDE_NAMES: Final = ("Greta", "Jonas", "Mira", "Tobias", "Ada")
"""Who sits at the tables of guides, by seat."""

Window = tuple[float, float, float, float]
"""A part of a picture: left, top, width and height."""


@dataclass(frozen=True)
class Script:
    """A match by the rules from a fixed seed; `moves` have `; ` in between, each by the seat that is asked first, and
    the dealer's duties are done at once.
    """

    seed: bytes
    moves: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    seats: int = 2


@dataclass(frozen=True)
class Figure:
    """A moment of a script, as `viewer` sees it, and what is told of it.

    `then` are the moves made since the figure before. With `until` it is the moment after the first event of that type
    since then. Shown is the board's `part`, or what `draw(view, theme, names)` makes of the moment, a whole `<svg>`; of
    either a `window`. `points` are cells that get the ring of the latest move, `named` are places with what they are
    called: on the picture they bear numbers. `holds` asks the state whether what is told of the moment is so. Broad is
    a figure that takes the room of two.
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
    """A card, piece or spell: what it is called, what it does, and `draw(theme)`, a whole `<svg>` of it."""

    name: str
    does: str
    draw: Callable[[Any], str]


@dataclass(frozen=True)
class Shelf:
    """Things of one kind. `look` is how they lie: `cards` are narrow, with the words below; others have the words
    `beside` them, `broad` ones with more room.
    """

    title: str
    says: str
    things: tuple[Thing, ...]
    look: str = "cards"


@dataclass(frozen=True)
class Guide:
    """`lead` says what the game is and `point` what it comes to; `facts` are numbers with what they count. `cover` is a
    moment in the middle of a match, `example` a short one told in figures. `turn` and `ends` are plain sentences.
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
    """The `GUIDE` of a module, imported when it is first read: it draws, and most processes never do."""

    def __init__(self, module: str) -> None:
        self._module = module

    @cached_property
    def told(self) -> Guide:
        """As the game tells it."""
        guide: Guide = import_module(self._module).GUIDE
        return guide
