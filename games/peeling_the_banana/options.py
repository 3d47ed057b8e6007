"""The options of a match: the content (as in `content.toml`), the turns, the reshuffle."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, field
from msgspec.structs import force_setattr

from games.kernel import Options as KernelOptions
from games.peeling_the_banana import content as contents
from games.peeling_the_banana.banana import EMPTY, Banana, Rows, banana
from games.peeling_the_banana.pieces import SHAPES, UPGRADES, Offsets

CONTENT: Final = tomllib.loads((Path(__file__).parent / "content.toml").read_text(encoding="utf-8"))

_MOST_TURNS = 25

# content.py checks the values instead of their type, so that a refusal can name the invalid key.
_COUNT: Final = {"type": "integer", "minimum": 0, "maximum": contents.MOST_CARDS}
_PRICE: Final = {"type": "integer", "minimum": 1, "maximum": contents.MOST_PRICE}
_TIMES: Final = {"type": "integer", "minimum": 0, "maximum": contents.MOST_OF_AN_UPGRADE}
_COINS: Final = {"type": "integer", "minimum": 0, "maximum": contents.MOST_START}
_INCOME: Final = {"type": "integer", "minimum": 0, "maximum": contents.MOST_INCOME}
_ROWS: Final = {"type": "array", "items": {"type": "string"}}
Deck = Annotated[dict[str, Any], Meta(extra_json_schema={"additionalProperties": _COUNT})]
Shop = Annotated[dict[str, Any], Meta(extra_json_schema={"additionalProperties": _PRICE})]
Often = Annotated[dict[str, Any], Meta(extra_json_schema={"additionalProperties": _TIMES})]
Shapes = Annotated[dict[str, Any], Meta(extra_json_schema={"additionalProperties": _ROWS})]
Coins = Annotated[Any, Meta(extra_json_schema=_COINS)]
Income = Annotated[Any, Meta(extra_json_schema=_INCOME)]

BOTH: Final = (0, 1)


class Options(KernelOptions, frozen=True, kw_only=True):
    """The settings of a match.

    `own_cards` are cards of the deck that are available to one seat at first, by seat; `starting_coins` are those of
    the seat that starts and of the other one; `income` is added in each turn. `content` may have any of the parts
    listed in `content.py`: each replaces the option of the same name, and `content` is recorded as empty.
    """

    board: Rows = tuple(CONTENT["board"])
    deck: Deck = field(default_factory=lambda: dict(CONTENT["deck"]))
    shop: Shop = field(default_factory=lambda: dict(CONTENT["shop"]))
    turns: int = _MOST_TURNS
    shapes: Shapes = field(default_factory=dict)
    upgrades: Often = field(default_factory=lambda: dict(UPGRADES))
    own_cards: tuple[Deck, Deck] = field(default_factory=lambda: ({}, {}))
    starting_coins: tuple[Coins, Coins] = tuple(CONTENT["starting_coins"])
    income: Income = CONTENT["income"]
    reshuffle: Literal["short", "empty"] = "short"
    content: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.content:
            self._unpack()
        contents.refuse(
            [
                *contents.faults_of_board(self.board),
                *contents.faults_of_shapes(self.shapes),
                *contents.faults_of_deck(self.deck, self.own_cards, self.shapes),
                *contents.faults_of_shop(self.shop, self.shapes),
                *contents.faults_of_upgrades(self.upgrades),
                *contents.faults_of_coins(self.starting_coins, self.income),
                *([] if 1 <= self.turns <= _MOST_TURNS else [f"turns is 1 to {_MOST_TURNS}, not {self.turns}."]),
            ]
        )

    def _unpack(self) -> None:
        contents.refuse(list(contents.faults_of_content(self.content)))
        for name, given in self.content.items():
            force_setattr(self, name, tuple(given) if isinstance(given, list) else given)
        force_setattr(self, "content", {})


def shapes_of(options: Options) -> Mapping[str, Offsets]:
    """Return the unturned shapes of all pieces of a match, the game's and the organiser's."""
    return SHAPES if not options.shapes else _with(_own(options))


def sheet_of(options: Options) -> Banana:
    """Return the sheet of a match, with all positions of its pieces."""
    return banana(options.board, _own(options))


def most_of(options: Options, upgrade: str) -> int:
    """Return how often a seat may buy an upgrade, 0 if the options omit it."""
    most: int = options.upgrades.get(upgrade, 0)
    return most


def issued_of(options: Options) -> dict[str, int]:
    """Return the numbers of cards of each kind in the first deck, those of one seat included."""
    numbers = {kind: sum(part.get(kind, 0) for part in _parts(options)) for kind in _kinds(options)}
    return {kind: number for kind, number in numbers.items() if number}


def first_available(options: Options, card: str) -> tuple[int, ...]:
    """Return the seats to which a card of the first deck is available: the lowest numbers of a kind are for both, the
    next for seat 0, the last for seat 1. R2"""
    kind, _, number = card.partition("#")
    before = 0
    for seats, part in zip((BOTH, (0,), (1,)), _parts(options), strict=True):
        before += part.get(kind, 0)
        if int(number) <= before:
            return seats
    return BOTH


def _parts(options: Options) -> tuple[Mapping[str, int], ...]:
    return (options.deck, *options.own_cards)


def _kinds(options: Options) -> Sequence[str]:
    return list(dict.fromkeys(kind for part in _parts(options) for kind in part))


def _own(options: Options) -> tuple[tuple[str, Offsets], ...]:
    return tuple((kind, _offsets(tuple(rows))) for kind, rows in options.shapes.items())


@lru_cache(maxsize=256)
def _offsets(rows: Rows) -> Offsets:
    return tuple((r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == EMPTY)


@lru_cache(maxsize=64)
def _with(own: tuple[tuple[str, Offsets], ...]) -> Mapping[str, Offsets]:
    return {**SHAPES, **dict(own)}
