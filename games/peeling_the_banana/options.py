"""What an organiser may set for a match: board, deck and shop as `content.toml` has them, and the turns."""

import tomllib
from pathlib import Path
from typing import Annotated, Any, Final

from msgspec import Meta, field

from games.kernel import Options as KernelOptions
from games.peeling_the_banana.banana import EMPTY, OUTSIDE, Rows
from games.peeling_the_banana.pieces import ITEMS, KINDS

CONTENT: Final = tomllib.loads((Path(__file__).parent / "content.toml").read_text(encoding="utf-8"))

_MOST_ROWS = _MOST_COLUMNS = 20
_MOST_CARDS = 20
_MOST_PRICE = 99
_MOST_TURNS = 25

# The values are checked below and not by their type, so that a refusal can name the key at fault.
_COUNT: Final = {"type": "integer", "minimum": 0, "maximum": _MOST_CARDS}
_PRICE: Final = {"type": "integer", "minimum": 1, "maximum": _MOST_PRICE}
Deck = Annotated[dict[str, Any], Meta(extra_json_schema={"additionalProperties": _COUNT})]
Shop = Annotated[dict[str, Any], Meta(extra_json_schema={"additionalProperties": _PRICE})]


class Options(KernelOptions, frozen=True, kw_only=True):
    """The sheet's rows, cards of each kind in the deck, prices in coins, and turns for each seat."""

    board: Rows = tuple(CONTENT["board"])
    deck: Deck = field(default_factory=lambda: dict(CONTENT["deck"]))
    shop: Shop = field(default_factory=lambda: dict(CONTENT["shop"]))
    turns: int = _MOST_TURNS

    def __post_init__(self) -> None:
        _check_board(self.board)
        _check_numbers("deck", self.deck, KINDS, 0, _MOST_CARDS)
        _check_numbers("shop", self.shop, ITEMS, 1, _MOST_PRICE)
        if not any(self.deck.values()):
            raise ValueError("deck holds no card at all.")
        if not 1 <= self.turns <= _MOST_TURNS:
            raise ValueError(f"turns is 1 to {_MOST_TURNS}, not {self.turns}.")


def _check_board(rows: Rows) -> None:
    if not 1 <= len(rows) <= _MOST_ROWS:
        raise ValueError(f"board has 1 to {_MOST_ROWS} rows, not {len(rows)}.")
    width = len(rows[0])
    if not 1 <= width <= _MOST_COLUMNS:
        raise ValueError(f"board has 1 to {_MOST_COLUMNS} columns, not {width}.")
    for number, row in enumerate(rows, 1):
        if len(row) != width:
            raise ValueError(f"board: row {number} has {len(row)} columns and row 1 has {width}.")
        if set(row) - {EMPTY, OUTSIDE}:
            raise ValueError(f"board: row {number} is {row!r}; a row is made of {EMPTY} and {OUTSIDE} alone.")
    if not any(EMPTY in row for row in rows):
        raise ValueError(f"board has no space to fill, no {EMPTY}.")


def _check_numbers(name: str, given: dict[str, Any], known: tuple[str, ...], least: int, most: int) -> None:
    for key, number in given.items():
        if key not in known:
            raise ValueError(f"{name} has no key {key!r}; it has {', '.join(known)}.")
        if type(number) is not int or not least <= number <= most:
            raise ValueError(f"{name}.{key} is a whole number from {least} to {most}, not {number!r}.")
