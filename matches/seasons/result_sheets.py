"""Results of a main match as a table of texts, typed cell by cell or pasted from a spreadsheet. An entry point tries a
table, which names the fault of each cell, or enters it as a whole. Reading stores nothing."""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from typing import get_args
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from games.kernel import Event, Illegal
from matches.domain.bidi import apart
from matches.domain.names import name_key
from matches.models import Account
from matches.seasons import pasted, repository, services
from matches.seasons.domain import result_table
from matches.seasons.domain.deciding import Caller
from matches.seasons.domain.result_acts import EnterResults
from matches.seasons.domain.result_table import CellFault, Column, ResultRow, TableFaulty
from matches.seasons.domain.state import Season
from matches.seasons.pasted import Row, Unreadable, heading_key
from matches.seasons.reads import feed
from matches.seasons.reads.event_documents import display_names

MOST_LINES = 500
LONGEST_TEXT = pasted.LONGEST_TEXT
COLUMNS: tuple[Column, ...] = get_args(Column)
_WORDS: dict[str, Column] = {
    **{it: it for it in COLUMNS},
    "name": "player", "username": "player", "account": "player", "spieler": "player", "joueur": "player",
    "jugador": "player", "table": "match", "game": "match", "tisch": "match", "spiel": "match", "partie": "match",
    "mesa": "match", "rank": "place", "placing": "place", "position": "place", "platz": "place", "rang": "place",
    "puesto": "place", "score": "points", "punkte": "points", "puntos": "points", "token": "tokens",
    "garnet": "garnets", "granate": "garnets", "grenats": "garnets", "granates": "garnets",
}  # fmt: skip
_EPISODE = "episode"
_UNREAD = frozenset({_EPISODE, "mainmatch", "result"})
"""The keys of headings of an exported table of results that say nothing more about a row."""
_MINUS = "\N{MINUS SIGN}"
_WHOLE = re.compile(r"[+-]?\d{1,12}", re.ASCII)
Cells = Mapping[str, str]
"""A line's texts by column; one that isn't there is empty."""


class TableRead(Struct, frozen=True):
    """Effects of a table at this version: `cells` are those with a fault, `text` the sentences that the record would
    get. `missing` are the living players without a row, and `notes` say what to check before the table is entered."""

    version: int
    lines: int
    cells: list[CellFault]
    winners: list[UUID]
    candidates: list[UUID]
    text: list[str]
    missing: list[UUID]
    notes: list[str]


class Reading(Struct, frozen=True):
    """A table's rows as far as they could be read, the cells that couldn't, the players who have a row, and the
    headings of columns that aren't read."""

    rows: list[ResultRow]
    faults: list[CellFault]
    named: frozenset[str]
    unread: list[str] = []


def read_text(season: Season, text: str) -> Reading:
    """Return the rows of a pasted table, whose first line names the columns; raise Illegal `bad_table`."""
    lines, unread = _lines_of(text)
    return replace(read(season, lines), unread=unread)


def _lines_of(text: str) -> tuple[list[tuple[int, Cells]], list[str]]:
    """Return the lines of a pasted table with their numbers, and the headings that aren't read; raise Illegal
    `bad_table`."""
    if len(text) > LONGEST_TEXT:
        raise Illegal("bad_table", f"A table has at most {LONGEST_TEXT} characters.")
    rows = list(pasted.rows(text))
    if not rows:
        raise Illegal("bad_table", f"The table is empty. Its first line names the columns: {', '.join(COLUMNS)}.")
    if len(rows) > MOST_LINES:
        raise Illegal("bad_table", f"A table has at most {MOST_LINES} lines.")
    headings = _cells(rows[0], "")
    columns = _headings(headings)
    lines: list[tuple[int, Cells]] = []
    episodes: set[str] = set()
    for row in rows[1:]:
        cells = _cells(row, rows[0].delimiter)
        beyond = [cell for cell, heading in zip_longest(cells, headings) if cell and not heading]
        if beyond:
            said = f"{row.where}: the cell {apart(beyond[0][:40])} is in no column that the first line names."
            raise Illegal("bad_table", f"{said} Name the column, or delete the cell.")
        episodes |= {cell for cell, heading in zip(cells, headings, strict=False) if heading_key(heading) == _EPISODE}
        named: Cells = {column: cell for column, cell in zip(columns, cells, strict=False) if column}
        lines.append((row.number, named))
    if len(episodes) > 1:
        raise Illegal("bad_table", "The table has the results of several episodes: keep the lines of one.")
    return lines, [heading for heading, column in zip(headings, columns, strict=True) if heading and not column]


def read(season: Season, lines: Sequence[tuple[int, Cells]]) -> Reading:
    """Return the rows of a table, in which players are named by name or id; empty lines are left out."""
    names = Account.objects.filter(id__in=list(season.players)).values_list("name_key", "id")
    ids = {key: str(account) for key, account in names} | {it: it for it in season.players}
    ids |= {name_key(called): account for account, called in display_names(season).items()}
    faults: list[CellFault] = []
    filled = [(number, cells) for number, cells in lines if any(cells.values())]
    rows = [row for number, cells in filled if (row := _row(number, cells, ids, faults))]
    named = (ids.get(name_key(cells.get("player", "").strip())) for _, cells in filled)
    return Reading(rows, faults, frozenset(filter(None, named)))


def faults_of(season: Season, reading: Reading) -> list[CellFault]:
    """Return the cells with a fault by line: those that can't be read, else those that the season refuses."""
    faults = reading.faults or result_table.faults_in(season, reading.rows)
    return sorted(faults, key=lambda it: (it.number, it.column))


def entering(name: str, read_rows: Callable[[Season], Reading]) -> services.Decide:
    """Return the act that enters a table as a whole; it raises Illegal, and TableFaulty if a cell has a fault."""

    def decide(season: Season, by: Caller) -> Sequence[Event]:
        result_table.refuse_unenterable(season, by)
        reading = read_rows(season)
        if faults := faults_of(season, reading):
            raise TableFaulty(faults)
        return EnterResults(name, tuple(reading.rows)).decide(season, by)

    return decide


def try_table(
    account: Account, season_id: UUID, name: str, read_rows: Callable[[Season], Reading], expected: int | None = None
) -> TableRead:
    """Return the effects that the table would have; store nothing. Raise Illegal or SeasonMoved if none is allowed."""
    season = repository.load(season_id)
    if expected is not None and season.version != expected:
        raise services.SeasonMoved(season.version)
    by = services.caller(season_id, season, account)
    result_table.refuse_unenterable(season, by)
    reading = read_rows(season)
    faults = faults_of(season, reading)
    missing = [UUID(it) for it in _without_row(season, reading)]
    notes = notes_on(season, reading)
    if faults:
        return TableRead(season.version, len(reading.rows), faults, [], [], [], missing, notes)
    result = result_table.outcome(season, reading.rows)
    foreseen = feed.foreseen(entering(name, read_rows)(season, by), season)
    return TableRead(
        season.version,
        len(reading.rows),
        [],
        [UUID(it) for it in result.winners],
        [UUID(it) for it in result.candidates],
        [event.text for event in foreseen.events],
        missing,
        notes,
    )


def notes_on(season: Season, reading: Reading) -> list[str]:
    """Return sentences about the columns that aren't read, the players without a row, and the lines whose points
    contradict their place."""
    names = feed.names_in(season)
    unread = [f"The column {apart(it)} isn't read." for it in reading.unread]
    missing = [apart(names.get(it, "somebody")) for it in _without_row(season, reading)]
    notes = unread + [f"{it} has no line: they are recorded as taking no part." for it in missing]
    for row in result_table.against_points(reading.rows):
        notes.append(f"Line {row.number}: the points don't fit place {row.place}. Both are recorded, and places count.")
    return notes


def _without_row(season: Season, reading: Reading) -> list[str]:
    """Return the living players without a row in the table."""
    return [it for it in season.living if it not in reading.named]


def _row(number: int, cells: Cells, ids: Mapping[str, str], faults: list[CellFault]) -> ResultRow | None:
    """Return the row of a line, or None after adding the cells that can't be read to `faults`."""
    before = len(faults)
    name = cells.get("player", "").strip()
    player = ids.get(name_key(name)) if name else None
    if not name:
        faults.append(CellFault(number, "player", "no_name", "Write whose line it is."))
    elif player is None:
        said = f"There is no player {apart(name)} in this season: write the name as the season's page does."
        faults.append(CellFault(number, "player", "not_enrolled", said))
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
    """Return the number in a cell; None if it is empty, or after adding its fault if it holds no number."""
    digits = text.strip().replace(_MINUS, "-")
    if not digits:
        return None
    if not _WHOLE.fullmatch(digits):
        said = f"{apart(text.strip()[:40])} is no whole number: write its digits alone, as 1200."
        faults.append(CellFault(number, column, "not_a_number", said))
        return None
    return int(digits)


def _headings(cells: Sequence[str]) -> list[Column | None]:
    """Return the columns that the first line names, None for a heading that is empty or isn't read; raise Illegal
    `bad_table`."""
    unknown = [it for it in cells if it and heading_key(it) not in _WORDS.keys() | _UNREAD]
    if unknown or not cells:
        hint = f"; {apart(unknown[0][:40])} is not one of them" if unknown else ""
        raise Illegal("bad_table", f"The first line names the columns: {', '.join(COLUMNS)}{hint}.")
    columns = [_WORDS.get(heading_key(it)) for it in cells]
    named = [it for it in columns if it]
    if len(set(named)) < len(named) or "player" not in named:
        raise Illegal("bad_table", "The first line names each column once, and one of them is player.")
    return columns


def _cells(row: Row, delimiter: str) -> list[str]:
    """Return a row's cells; raise Illegal `bad_table`."""
    try:
        return row.cells(delimiter)
    except Unreadable as unreadable:
        raise Illegal("bad_table", f"{row.where}: {unreadable}") from None
