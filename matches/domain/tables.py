"""Tables for spreadsheets. A table's columns are declared once, and the files of all forms derive from them. Pure."""

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Generic, Literal, TypeVar

from msgspec import Struct

from games.kernel import Illegal

MOST_ROWS = 10_000
"""The most rows of a table."""

T = TypeVar("T")
Kind = Literal["text", "number", "time"]
Cell = str | int | datetime | None
"""The value of a cell: a text, a whole number, an instant, or None for an empty cell."""

# Programs for spreadsheets ignore blank space, and some of them take full-width characters for plain ones.
_FORMULA = re.compile("'*(?:[\t\r\n]|[\\s\u200b-\u200f\u2060\u2066-\u2069\ufeff]*[=+@\uff1d\uff0b\uff20\uff0d-])")


class Column(Struct, Generic[T], frozen=True):
    """A column of a table whose rows are of one type: its heading, the value of a row in it, and the kind of all its
    values that aren't None."""

    heading: str
    value: Callable[[T], Cell]
    kind: Kind = "text"


class Table(Struct, frozen=True):
    """A table: `name` is for files and addresses, `title` for readers."""

    name: str
    title: str
    columns: Sequence[Column[Any]]
    rows: Sequence[Any]

    def cells(self) -> list[list[Cell]]:
        """Return the values by row and column; raise Illegal `too_many_rows`."""
        if len(self.rows) > MOST_ROWS:
            raise Illegal(
                "too_many_rows",
                f"The table has {len(self.rows)} rows, and a file at most {MOST_ROWS}. Read the list as JSON.",
            )
        return [[column.value(row) for column in self.columns] for row in self.rows]


def is_formula(text: str) -> bool:
    """True if a program may take this text for a formula, or would if it were marked as none."""
    return _FORMULA.match(text) is not None


def marked(text: str) -> str:
    """Return the text as a cell of CSV; an apostrophe before it marks what isn't to be taken for a formula."""
    return f"'{text}" if is_formula(text) else text


def unmarked(cell: str) -> str:
    """Return the text for which `marked` returned this cell."""
    return cell[1:] if cell.startswith("'") and is_formula(cell[1:]) else cell
