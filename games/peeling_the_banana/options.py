"""What an organiser may set for a match: board, shapes, deck and shop as `content.toml` has them, and the turns."""

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Final

from msgspec import Meta, field
from msgspec.structs import force_setattr

from games.kernel import Options as KernelOptions
from games.peeling_the_banana import content as contents
from games.peeling_the_banana.banana import EMPTY, Banana, Rows, banana
from games.peeling_the_banana.pieces import SHAPES, UPGRADES, Offsets

CONTENT: Final = tomllib.loads((Path(__file__).parent / "content.toml").read_text(encoding="utf-8"))

_MOST_TURNS = 25

# The values are checked by content.py and not by their type, so that a refusal can name the key at fault.
_COUNT: Final = {"type": "integer", "minimum": 0, "maximum": contents.MOST_CARDS}
_PRICE: Final = {"type": "integer", "minimum": 1, "maximum": contents.MOST_PRICE}
_TIMES: Final = {"type": "integer", "minimum": 0, "maximum": contents.MOST_OF_AN_UPGRADE}
_ROWS: Final = {"type": "array", "items": {"type": "string"}}
Deck = Annotated[dict[str, Any], Meta(extra_json_schema={"additionalProperties": _COUNT})]
Shop = Annotated[dict[str, Any], Meta(extra_json_schema={"additionalProperties": _PRICE})]
Often = Annotated[dict[str, Any], Meta(extra_json_schema={"additionalProperties": _TIMES})]
Shapes = Annotated[dict[str, Any], Meta(extra_json_schema={"additionalProperties": _ROWS})]


class Options(KernelOptions, frozen=True, kw_only=True):
    """The sheet's rows, pieces of the organiser's own, cards of each kind in the deck, prices in coins, how often each
    upgrade may be bought, and turns for each seat.

    `content` holds any of the first five together: each that it holds takes the place of the option, so that a match
    records them in one way, and its content empty.
    """

    board: Rows = tuple(CONTENT["board"])
    deck: Deck = field(default_factory=lambda: dict(CONTENT["deck"]))
    shop: Shop = field(default_factory=lambda: dict(CONTENT["shop"]))
    turns: int = _MOST_TURNS
    shapes: Shapes = field(default_factory=dict)
    upgrades: Often = field(default_factory=lambda: dict(UPGRADES))
    content: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.content:
            self._unpack()
        contents.refuse(
            [
                *contents.faults_of_board(self.board),
                *contents.faults_of_shapes(self.shapes),
                *contents.faults_of_deck(self.deck, self.shapes),
                *contents.faults_of_shop(self.shop, self.shapes),
                *contents.faults_of_upgrades(self.upgrades),
                *([] if 1 <= self.turns <= _MOST_TURNS else [f"turns is 1 to {_MOST_TURNS}, not {self.turns}."]),
            ]
        )

    def _unpack(self) -> None:
        contents.refuse(list(contents.faults_of_content(self.content)))
        for name, given in self.content.items():
            force_setattr(self, name, tuple(given) if name == "board" else given)
        force_setattr(self, "content", {})


def shapes_of(options: Options) -> Mapping[str, Offsets]:
    """Every piece of a match unturned, the game's and the organiser's."""
    return SHAPES if not options.shapes else _with(_own(options))


def sheet_of(options: Options) -> Banana:
    """The sheet of a match, with every way its pieces can lie on it."""
    return banana(options.board, _own(options))


def most_of(options: Options, upgrade: str) -> int:
    """How often a seat may buy an upgrade; one that is left out can't be bought."""
    most: int = options.upgrades.get(upgrade, 0)
    return most


def _own(options: Options) -> tuple[tuple[str, Offsets], ...]:
    return tuple((kind, _offsets(tuple(rows))) for kind, rows in options.shapes.items())


@lru_cache(maxsize=256)
def _offsets(rows: Rows) -> Offsets:
    return tuple((r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == EMPTY)


@lru_cache(maxsize=64)
def _with(own: tuple[tuple[str, Offsets], ...]) -> Mapping[str, Offsets]:
    return {**SHAPES, **dict(own)}
