"""A main match's results as a table of texts, typed cell by cell or pasted from a spreadsheet, and what the doors do
with it: it is tried, which names each cell's fault, or entered as a whole. Reading changes nothing."""

import csv
import re
from collections.abc import Callable, Mapping, Sequence
from typing import get_args
from uuid import UUID

from msgspec import Struct

from games.kernel import Event, Illegal
from matches.domain.bidi import apart
from matches.domain.names import name_key
from matches.models import Account
from matches.seasons import repository, services
from matches.seasons.domain import result_table
from matches.seasons.domain.deciding import Caller
from matches.seasons.domain.result_table import CellFault, Column, ResultRow, TableFaulty
from matches.seasons.domain.state import Season
from matches.seasons.reads import feed
from matches.seasons.reads.story import display_names

MOST_LINES = 500
LONGEST_TEXT = 50_000
COLUMNS: tuple[Column, ...] = get_args(Column)
_CALLED: dict[str, Column] = {
    "name": "player", "username": "player", "account": "player", "table": "match", "game": "match", "rank": "place",
    "placing": "place", "position": "place", "score": "points", "token": "tokens", "garnet": "garnets",
} | {it: it for it in COLUMNS}  # fmt: skip
_WHOLE = re.compile(r"[+-]?\d{1,12}", re.ASCII)
Cells = Mapping[str, str]
"""A line's texts by column; one that isn't there is empty."""


class TableRead(Struct, frozen=True):
    """What a table would do at this version: `cells` are those with a fault, `text` what would stand in the record."""

    version: int
    lines: int
    cells: list[CellFault]
    winners: list[UUID]
    candidates: list[UUID]
    text: list[str]


class Reading(Struct, frozen=True):
    """A table's rows as far as they could be read, and the cells that couldn't."""

    rows: list[ResultRow]
    faults: list[CellFault]


def pasted(text: str) -> list[tuple[int, Cells]]:
    """The lines of a table that was copied from a spreadsheet or is CSV, with their numbers; the first names the
    columns. Raises Illegal `bad_table`."""
    if len(text) > LONGEST_TEXT:
        raise Illegal("bad_table", f"A table has at most {LONGEST_TEXT} characters.")
    lines = [(number, it) for number, it in enumerate(text.lstrip("\ufeff").splitlines(), 1) if it.strip(" \t,;")]
    if not lines:
        raise Illegal("bad_table", f"The table is empty. Its first line names the columns: {', '.join(COLUMNS)}.")
    if len(lines) > MOST_LINES:
        raise Illegal("bad_table", f"A table has at most {MOST_LINES} lines.")
    comma = next((it for it in "\t;" if it in lines[0][1]), ",")
    columns = _headings(_split(lines[0][1], comma))
    found = []
    for number, line in lines[1:]:
        cells = _split(line, comma)
        if any(cells[len(columns) :]):
            raise Illegal("bad_table", f"Line {number} has more cells than there are columns.")
        found.append((number, dict(zip(columns, cells, strict=False))))
    return found


def read(season: Season, lines: Sequence[tuple[int, Cells]]) -> Reading:
    """The lines of a table with the season's players in place of their names, or ids; empty lines are left out."""
    names = Account.objects.filter(id__in=list(season.players)).values_list("name_key", "id")
    ids = {key: str(account) for key, account in names} | {it: it for it in season.players}
    ids |= {name_key(called): account for account, called in display_names(season).items()}
    faults: list[CellFault] = []
    rows = [row for number, cells in lines if any(cells.values()) and (row := _row(number, cells, ids, faults))]
    return Reading(rows, faults)


def faults_of(season: Season, reading: Reading) -> list[CellFault]:
    """All cells with a fault, in the order of the lines: those that couldn't be read, else what the season says."""
    faults = reading.faults or result_table.faults_in(season, reading.rows)
    return sorted(faults, key=lambda it: (it.number, it.column))


def entering(name: str, read_rows: Callable[[Season], Reading]) -> services.Decide:
    """The act that enters a table as a whole; raises TableFaulty where a cell has a fault."""

    def decide(season: Season, by: Caller) -> Sequence[Event]:
        result_table.refuse_unenterable(season, by)
        reading = read_rows(season)
        if faults := faults_of(season, reading):
            raise TableFaulty(faults)
        return result_table.enter(season, by, name, reading.rows)

    return decide


def try_table(
    account: Account, season_id: UUID, name: str, read_rows: Callable[[Season], Reading], expected: int | None = None
) -> TableRead:
    """What the table would do; raises Illegal, SeasonMoved where it could do nothing whatever its cells say."""
    season = repository.load(season_id)
    if expected is not None and season.version != expected:
        raise services.SeasonMoved(season.version)
    by = services.caller(season_id, season, account)
    result_table.refuse_unenterable(season, by)
    reading = read_rows(season)
    faults = faults_of(season, reading)
    if faults:
        return TableRead(season.version, len(reading.rows), faults, [], [], [])
    found = result_table.outcome(season, reading.rows)
    foreseen = feed.foreseen(entering(name, read_rows)(season, by), season)
    return TableRead(
        season.version,
        len(reading.rows),
        [],
        [UUID(it) for it in found.winners],
        [UUID(it) for it in found.candidates],
        [event.text for event in foreseen.events],
    )


def _row(number: int, cells: Cells, ids: Mapping[str, str], faults: list[CellFault]) -> ResultRow | None:
    """A line's row; None where a cell can't be read, which is added to the faults."""
    before = len(faults)
    name = cells.get("player", "").strip()
    player = ids.get(name_key(name)) if name else None
    if not name:
        faults.append(CellFault(number, "player", "no_name", "Write whose line it is."))
    elif player is None:
        faults.append(CellFault(number, "player", "not_enrolled", f"There is no player {apart(name)} in this season."))
    amounts = {it: _whole(number, it, cells.get(it, ""), faults) for it in COLUMNS[2:]}
    if len(faults) > before or player is None:
        return None
    return ResultRow(
        number=number,
        player=player,
        match=cells.get("match", "").strip(),
        place=amounts["place"],
        points=amounts["points"],
        tokens=amounts["tokens"],
        garnets=amounts["garnets"] or 0,
    )


def _whole(number: int, column: Column, text: str, faults: list[CellFault]) -> int | None:
    """The number in a cell, None where it is empty or, as its fault then says, holds something else."""
    told = text.strip()
    if not told:
        return None
    if not _WHOLE.fullmatch(told):
        faults.append(CellFault(number, column, "not_a_number", f"{apart(told[:40])} is no whole number."))
        return None
    return int(told)


def _headings(cells: Sequence[str]) -> list[Column]:
    """The columns that the first line names; raises Illegal."""
    unknown = [it for it in cells if it.casefold() not in _CALLED]
    if unknown or not cells:
        told = f"{apart(unknown[0][:40])} is none" if unknown and unknown[0] else "one has no name"
        raise Illegal("bad_table", f"The first line names the columns, of {', '.join(COLUMNS)}: {told}.")
    columns = [_CALLED[it.casefold()] for it in cells]
    if len(set(columns)) < len(columns) or "player" not in columns:
        raise Illegal("bad_table", "The first line names each column once, and one of them is player.")
    return columns


def _split(line: str, comma: str) -> list[str]:
    cells = [it.strip() for it in next(csv.reader([line], delimiter=comma, skipinitialspace=True), [])]
    while cells and not cells[-1]:
        cells.pop()
    return cells
