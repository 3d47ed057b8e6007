"""Tables as files: CSV, and XLSX for Excel, LibreOffice and Google Sheets; and which of them a request accepts."""

import codecs
import csv
import io
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Literal
from unicodedata import east_asian_width
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse
from rest_framework.request import Request

from matches.domain.tables import Cell, Column, Table, is_formula, marked

Form = Literal["csv", "xlsx"]
CSV = "text/csv; charset=utf-8"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
MEDIA_TYPES: dict[str, Form] = {"text/csv": "csv", XLSX: "xlsx"}
BYTE_ORDER_MARK = codecs.BOM_UTF8
"""The beginning of a CSV file. Without it Excel doesn't read UTF-8; other programs skip it."""
_JSON = ("application/json", "application/*", "*/*")
_NARROWEST, _WIDEST = 8, 60
_MADE_AT = datetime(2000, 1, 1)  # noqa: DTZ001
"""The date inside each XLSX file, which would otherwise differ between two files with the same content."""


def accepted_form(request: Request) -> Form | None:
    """Return the form of a table that the Accept header prefers; None for JSON, and if it names no form."""
    given = [_preference(part) for part in request.META.get("HTTP_ACCEPT", "").split(",")]
    preferred = sorted((it for it in given if it[1] > 0), key=lambda it: -it[1])
    for media_type, _ in preferred:
        if media_type in MEDIA_TYPES:
            return MEDIA_TYPES[media_type]
        if media_type in _JSON:
            return None
    return None


def form_named(name: str) -> Form | None:
    """Return the form with this name; None if there is none."""
    return next((form for form in MEDIA_TYPES.values() if form == name), None)


def zone_of(request: Request | HttpRequest) -> str:
    """Return the reader's time zone; UTC for a reader who isn't signed in."""
    return getattr(request.user, "time_zone", "UTC")


def table_tag(tag: str, form: Form, zone: str) -> str:
    """Return the ETag of a table that has this one as JSON. Times in XLSX are in the reader's zone."""
    return f'"{tag.strip(chr(34))}.{form}{f".{zone}" if form == "xlsx" else ""}"'


def table_file(
    table: Table, form: Form, zone: str, about: str, headers: Mapping[str, str] | None = None
) -> HttpResponse:
    """Return the table as a file, whose name says what it is `about`; raise Illegal `too_many_rows`."""
    content, media_type = (as_csv(table), CSV) if form == "csv" else (as_xlsx(table, zone), XLSX)
    attached = {
        "Content-Disposition": f'attachment; filename="{about}-{table.name}.{form}"',
        "Cache-Control": "private, no-store",
    }
    return HttpResponse(content, content_type=media_type, headers=attached | dict(headers or {}))


def as_csv(table: Table) -> bytes:
    """Return the table in UTF-8, with instants in UTC; raise Illegal `too_many_rows`."""
    lines = [csv_line(marked(_heading(it, "UTC")) for it in table.columns)]
    lines += (csv_line(map(_text, row)) for row in table.cells())
    return BYTE_ORDER_MARK + b"".join(lines)


def csv_line(texts: Iterable[str]) -> bytes:
    """Return a line of CSV. The caller marks texts that could be taken for formulas."""
    line = io.StringIO()
    csv.writer(line).writerow(texts)
    return line.getvalue().encode()


def as_xlsx(table: Table, zone: str) -> bytes:
    """Return the table as a workbook with one sheet, instants in the zone; raise Illegal `too_many_rows`."""
    # Most processes never write one.
    import xlsxwriter

    content, rows, local = io.BytesIO(), table.cells(), ZoneInfo(zone)
    # Only what is written as a formula or a link would be one; nothing here is.
    book = xlsxwriter.Workbook(content, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False})
    book.set_properties({"title": table.title, "created": _MADE_AT})
    sheet = book.add_worksheet(table.title)
    # Without the prefix Excel would take a text for a formula as soon as somebody edits its cell.
    bold, quoted = book.add_format({"bold": True, "quote_prefix": True}), book.add_format({"quote_prefix": True})
    moment = book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})
    write: dict[type, Callable[[int, int, Cell], int]] = {
        int: sheet.write_number,
        str: lambda row, place, text: sheet.write_string(row, place, text, quoted if is_formula(str(text)) else None),
        datetime: lambda row, place, at: sheet.write_datetime(row, place, _naive(at, local), moment),
    }
    for place, column in enumerate(table.columns):
        heading = _heading(column, zone)
        sheet.set_column(place, place, _width(heading, [row[place] for row in rows]))
        sheet.write_string(0, place, heading, bold)
    sheet.freeze_panes(1, 0)
    for number, row in enumerate(rows, start=1):
        for place, cell in enumerate(row):
            if cell is not None and write[type(cell)](number, place, cell):
                raise ValueError(f"The cell in row {number}, column {place} can't be written.")
    book.close()
    return content.getvalue()


def _preference(part: str) -> tuple[str, float]:
    """Return a media type of an Accept header, and how much it is preferred."""
    media_type, *parameters = (it.strip().lower() for it in part.split(";"))
    weight = next((it.removeprefix("q=") for it in parameters if it.startswith("q=")), "1")
    try:
        return media_type, float(weight)
    except ValueError:
        return media_type, 1.0


def _heading(column: Column[object], zone: str) -> str:
    return f"{column.heading} ({zone})" if column.kind == "time" else column.heading


def _text(cell: Cell) -> str:
    if isinstance(cell, datetime):
        return cell.astimezone(UTC).isoformat().replace("+00:00", "Z")
    return marked(cell) if isinstance(cell, str) else "" if cell is None else str(cell)


def _naive(cell: Cell, zone: ZoneInfo) -> datetime | None:
    """Return an instant by the zone's clock, to the second; a spreadsheet knows no zones."""
    return cell.astimezone(zone).replace(tzinfo=None, microsecond=0) if isinstance(cell, datetime) else None


def _width(heading: str, cells: Iterable[Cell]) -> int:
    """Return the width of a column in characters."""
    shown = (len("2026-11-28 12:00:00") if isinstance(it, datetime) else _letters(str(it)) for it in cells if it)
    return min(_WIDEST, max(_NARROWEST, _letters(heading), *shown, 0) + 2)


def _letters(text: str) -> int:
    """Return the width of the longest line of a text, in narrow letters."""
    return max((sum(2 if east_asian_width(it) in "WF" else 1 for it in line) for line in text.splitlines()), default=0)
