"""Reads tables back as programs for spreadsheets do."""

import csv
from io import BytesIO, StringIO
from typing import Any

from openpyxl import Workbook, load_workbook

from matches.domain.tables import unmarked
from matches.http.table_files import BYTE_ORDER_MARK

ATTACKS = (
    '=HYPERLINK("http://x.example", "win")', "=1+1", "+1", "-1+2", "@SUM(A1)", "\uff1d1+1", " =1", "\u200b=1", "'=1",
    "''-", "\n=1", "1,2;3\t4", 'Jo "the\nfox" Park', '"', '"";""', "\u05d0\u05d1-\u05d2", "\u200f=\u0634",
    "\U0001f3b2\ufe0f\U0001f468\u200d\U0001f469", "007", "1e5", "2026-01-02", "1-2", "TRUE", "_x0041_",
    "http://x.example", "  blank  ", "<b>&amp;",
)  # fmt: skip
"""Texts that a program may take for something else."""


def csv_rows(file: bytes) -> list[list[str]]:
    """Return the rows, the headings first, as they were before they were marked."""
    assert file.startswith(BYTE_ORDER_MARK)
    rows = csv.reader(StringIO(file.decode("utf-8-sig"), newline=""), strict=True)
    return [[unmarked(cell) for cell in row] for row in rows]


def csv_records(file: bytes) -> list[dict[str, str]]:
    """Return the rows by heading."""
    headings, *rows = csv_rows(file)
    return [dict(zip(headings, row, strict=True)) for row in rows]


def workbook(file: bytes) -> Workbook:
    return load_workbook(BytesIO(file))


def xlsx_rows(file: bytes) -> list[list[Any]]:
    """Return the rows, the headings first; no cell is a formula, an error or a link."""
    (sheet,) = workbook(file).worksheets
    cells = [cell for row in sheet.iter_rows() for cell in row]
    assert {cell.data_type for cell in cells} <= {"s", "n", "d"}
    assert not any(cell.hyperlink for cell in cells)
    return [list(row) for row in sheet.iter_rows(values_only=True)]


def xlsx_records(file: bytes) -> list[dict[str, Any]]:
    """Return the rows by heading."""
    headings, *rows = xlsx_rows(file)
    return [dict(zip(headings, row, strict=True)) for row in rows]


def pasted(rows: list[list[Any]]) -> str:
    """Return rows of a workbook as a spreadsheet program copies them: cells between tabs, in quotes where needed."""
    return "\n".join("\t".join(map(_copied, row)) for row in rows)


def _copied(cell: Any) -> str:
    text = "" if cell is None else str(cell)
    return '"' + text.replace('"', '""') + '"' if any(it in text for it in '\t\n"') else text
