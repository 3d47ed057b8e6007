"""The checks of an organiser's content: the sheet, own pieces, deck and shop."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from games.kernel import canonical, quantity
from games.peeling_the_banana.banana import EMPTY, OUTSIDE
from games.peeling_the_banana.pieces import KINDS, UPGRADES, coins_of

PARTS: Final = ("board", "shapes", "deck", "shop", "upgrades", "own_cards", "starting_coins", "income")
"""The options that content may hold."""

MOST_CARDS: Final = 20
MOST_PRICE: Final = 99
MOST_OF_AN_UPGRADE: Final = 9
MOST_INCOME: Final = 20
MOST_START: Final = 99
_OBJECTS: Final = ("shapes", "deck", "shop", "upgrades")
_MOST_BYTES: Final = 20_000
_MOST_FAULTS: Final = 10
_MOST_ROWS = _MOST_COLUMNS = 20
_MOST_DECK: Final = 400
_MOST_SHAPES: Final = 40
_MOST_ACROSS: Final = 8
_MOST_CELLS: Final = 12
_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,19}")


def refuse(faults: Sequence[str]) -> None:
    """Raise ValueError with every fault, up to a number of them."""
    if faults:
        more = len(faults) - _MOST_FAULTS
        rest = [f"And {quantity(more, 'more fault')}."] if more > 0 else []
        raise ValueError(" ".join([*faults[:_MOST_FAULTS], *rest]))


def faults_of_content(content: Mapping[str, Any]) -> Iterator[str]:
    """Yield the faults of content as a whole: unknown parts, wrong types, size."""
    yield from (f"content has no {key!r}; it has {', '.join(PARTS)}." for key in content if key not in PARTS)
    size = len(canonical(content))
    if size > _MOST_BYTES:
        yield f"content is at most {_MOST_BYTES} bytes of JSON, not {size}."
    board = content.get("board", [])
    if not isinstance(board, list | tuple) or not all(isinstance(row, str) for row in board):
        yield "content: board is a list of rows, each a text."
    yield from (
        f"content: {key} is an object of names with what belongs to each."
        for key in _OBJECTS
        if not isinstance(content.get(key, {}), dict)
    )
    own = content.get("own_cards", [{}, {}])
    if not _is_pair(own) or not all(isinstance(cards, dict) for cards in own):
        yield "content: own_cards is a list of two objects of kinds with numbers, for seat 0 and for seat 1."
    if not _is_pair(content.get("starting_coins", [0, 0])):
        yield "content: starting_coins is a list of two numbers, for the seat that starts and for the other one."


def faults_of_board(rows: Sequence[str]) -> Iterator[str]:
    """Yield the faults of a sheet. R1"""
    if not 1 <= len(rows) <= _MOST_ROWS:
        yield f"board has 1 to {_MOST_ROWS} rows, not {len(rows)}."
        return
    width = len(rows[0])
    if not 1 <= width <= _MOST_COLUMNS:
        yield f"board has 1 to {_MOST_COLUMNS} columns, not {width}."
        return
    yield from _faults_of_grid("board", rows)
    if not any(EMPTY in row for row in rows):
        yield f"board has no space to fill, no {EMPTY}."


def faults_of_shapes(shapes: Mapping[str, Any]) -> Iterator[str]:
    """Yield the faults of the organiser's own pieces."""
    if len(shapes) > _MOST_SHAPES:
        yield f"shapes has at most {_MOST_SHAPES} pieces, not {len(shapes)}."
    for name, rows in shapes.items():
        if not _NAME.fullmatch(name):
            yield f"shapes: {name[:30]!r} is no name; write a small letter, then up to 19 of a to z, 0 to 9 and _."
        elif name in KINDS or name in UPGRADES or coins_of(name):
            yield f"shapes.{name}: the game has a {name} of its own; give yours another name."
        elif not isinstance(rows, list | tuple) or not all(isinstance(row, str) for row in rows):
            yield f"shapes.{name} is a list of rows, each a text such as '##.'."
        else:
            yield from _faults_of_shape(f"shapes.{name}", rows)


def _faults_of_shape(place: str, rows: Sequence[str]) -> Iterator[str]:
    if not 1 <= len(rows) <= _MOST_ACROSS or not 1 <= len(rows[0]) <= _MOST_ACROSS:
        yield f"{place} is 1 to {_MOST_ACROSS} rows of 1 to {_MOST_ACROSS} columns."
        return
    faults = list(_faults_of_grid(place, rows))
    yield from faults
    if faults:
        return
    cells = {(r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == EMPTY}
    if not 1 <= len(cells) <= _MOST_CELLS:
        yield f"{place} has 1 to {_MOST_CELLS} cells ({EMPTY}), not {len(cells)}."
    elif any(EMPTY not in line for line in (rows[0], rows[-1], [row[0] for row in rows], [row[-1] for row in rows])):
        yield f"{place} has an empty row or column at its edge; leave it out."
    elif _joined(cells) != cells:
        yield f"{place} falls apart: each cell must share a side with another one of the piece."


def _faults_of_grid(place: str, rows: Sequence[str]) -> Iterator[str]:
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            yield f"{place}: row {number} has {len(row)} columns and row 1 has {len(rows[0])}."
        elif set(row) - {EMPTY, OUTSIDE}:
            yield f"{place}: row {number} is {row!r}; a row is made of {EMPTY} and {OUTSIDE} alone."


def _joined(cells: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """Return the cells that are connected with the first."""
    joined, waiting = set(), [min(cells)]
    while waiting:
        row, col = waiting.pop()
        if (row, col) in cells and (row, col) not in joined:
            joined.add((row, col))
            waiting += [(row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)]
    return joined


def _is_pair(value: object) -> bool:
    return isinstance(value, list | tuple) and len(value) == 2


def faults_of_deck(
    deck: Mapping[str, Any], own: Sequence[Mapping[str, Any]], shapes: Mapping[str, Any]
) -> Iterator[str]:
    """Yield the faults in the numbers of cards, including those that start available to one seat. R2"""
    named = {"deck": deck, "own_cards[0]": own[0], "own_cards[1]": own[1]}
    faults = [
        fault
        for name, numbers in named.items()
        for fault in _faults_of_numbers(name, numbers, (*KINDS, *shapes), 0, MOST_CARDS)
    ]
    yield from faults
    total = 0 if faults else sum(sum(numbers.values()) for numbers in named.values())
    if not faults and not total:
        yield "deck holds no card at all."
    if total > _MOST_DECK:
        yield f"deck holds at most {_MOST_DECK} cards, not {total}."


def faults_of_coins(starting: Sequence[Any], income: object) -> Iterator[str]:
    """Yield the faults in the starting coins and in the income of each turn. R3, R4"""
    for place, number in enumerate(starting):
        if type(number) is not int or not 0 <= number <= MOST_START:
            yield f"starting_coins[{place}] is a whole number from 0 to {MOST_START}, not {number!r:.30}."
    if type(income) is not int or not 0 <= income <= MOST_INCOME:
        yield f"income is a whole number from 0 to {MOST_INCOME}, not {income!r:.30}."


def faults_of_shop(shop: Mapping[str, Any], shapes: Mapping[str, Any]) -> Iterator[str]:
    """Return the faults of the prices. R10, R11"""
    return _faults_of_numbers("shop", shop, (*KINDS, *shapes, *UPGRADES), 1, MOST_PRICE)


def faults_of_upgrades(upgrades: Mapping[str, Any]) -> Iterator[str]:
    """Return the faults in the allowed numbers of upgrades. R11"""
    return _faults_of_numbers("upgrades", upgrades, tuple(UPGRADES), 0, MOST_OF_AN_UPGRADE)


def _faults_of_numbers(
    name: str, given: Mapping[str, Any], allowed: tuple[str, ...], least: int, most: int
) -> Iterator[str]:
    for key, number in given.items():
        if key not in allowed and not (name != "upgrades" and coins_of(key)):
            yield f"{name} has no key {key[:30]!r}; it has {', '.join(allowed)}."
        elif type(number) is not int or not least <= number <= most:
            yield f"{name}.{key} is a whole number from {least} to {most}, not {number!r:.30}."
