"""Pasted text as rows of cells: CSV by comma, semicolon or tab, cells of a spreadsheet, plain lines. No I/O."""

import csv
import re
import unicodedata
from collections.abc import Iterator

from msgspec import Struct

from matches.domain import texts
from matches.domain.tables import unmarked

LONGEST_TEXT = 50_000
"""The most characters of a pasted text."""
_BREAKS = re.compile(r"\r\n|[\r\n\x85\u2028\u2029]")
# Chats and this service's pages put these around names. Joiners (200C, 200D) stay, because some scripts need them.
_INVISIBLE = re.compile("[\ufeff\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069]")
_SPACES = re.compile("[\xa0\u2007\u202f]")
_DELIMITERS = "\t;,"
_QUOTED = r'"[^"]*(?:""[^"]*)*"(?= *(?:[\t;,\n<]|\Z))'
_CELL = rf" *(?:{_QUOTED})?[^{_DELIMITERS}\n]*"
_RECORD = re.compile(rf"{_CELL}(?:[{_DELIMITERS}]{_CELL})*")
_QUOTED_CELL = re.compile(rf"(?<![^{_DELIMITERS}]) *{_QUOTED}")


class Unreadable(ValueError):
    """A row can't be split into cells; the message names the remedy."""


class Row(Struct, frozen=True):
    """A row that isn't empty. Its first line is `number`, from 1; a quoted cell may continue to line `last`."""

    number: int
    last: int
    text: str

    @property
    def where(self) -> str:
        """Return the row's line numbers as the beginning of a sentence."""
        return f"Line {self.number}" if self.last == self.number else f"Lines {self.number} to {self.last}"

    @property
    def delimiter(self) -> str:
        """Return the delimiter outside quotes: a tab, else a semicolon, else a comma, else an empty string."""
        bare = _QUOTED_CELL.sub("", self.text)
        return next((it for it in _DELIMITERS if it in bare), "")

    def cells(self, delimiter: str = "") -> list[str]:
        """Return the cells, unquoted and each on one line, without the empty ones at the end, and without the
        apostrophe that marks a text of this service's files; raise Unreadable."""
        self.refuse_unprintable()
        used = delimiter or self.delimiter or ","
        bare = _QUOTED_CELL.sub("", self.text).split(used)
        lines = list(csv.reader(self.text.splitlines(keepends=True), delimiter=used, skipinitialspace=True))
        if len(lines) > 1 or any(cell.lstrip().startswith('"') for cell in bare):
            raise Unreadable("A quotation mark at the beginning of a cell needs one at its end: add it or delete it.")
        cells = [unmarked(" ".join(cell.split())) for cell in lines[0]]
        while cells and not cells[-1]:
            cells.pop()
        return cells

    def refuse_unprintable(self) -> None:
        """Raise Unreadable if `texts.clean_lines` refuses the row."""
        try:
            texts.clean_lines(self.text)
        except texts.BadText as fault:
            raise Unreadable(str(fault)) from None


def rows(text: str) -> Iterator[Row]:
    """Yield the rows that aren't empty."""
    text = unicodedata.normalize("NFC", _INVISIBLE.sub("", _SPACES.sub(" ", _BREAKS.sub("\n", text))))
    number, start = 1, 0
    while start <= len(text):
        record = _RECORD.match(text, start)
        written = record[0] if record else ""
        last = number + written.count("\n")
        if written.strip(f"{_DELIMITERS} \n"):
            yield Row(number, last, written.strip(" \n"))
        number, start = last + 1, start + len(written) + 1


def heading_key(cell: str) -> str:
    """Return the key of a column's heading: `E-Mail *` and `e mail` have the same."""
    return re.sub(r"[\W_]+", "", cell.casefold())
