"""The submissions of a contest as a table for spreadsheets: the rounds that are over, as one witness knows them."""

from collections.abc import Container, Iterator, Sequence
from typing import NamedTuple

from games.contest.content import Round, Values
from games.contest.explaining import spoken, title_of, value_of
from games.contest.fields import AnyField, Number
from games.contest.state import Shown, State
from matches.domain.tables import Cell, Column, Table


class Submission(NamedTuple):
    """The submission of a seat in a round that is over. `seat` is None if it was published without a name, `values` if
    they are unknown."""

    shown: Shown
    of_round: Round
    seat: int | None
    values: Values | None

    @property
    def points(self) -> int | None:
        """Return the points that the seat gained in the round; None if they are unknown."""
        return self.shown.points[self.seat] if self.seat is not None and self.shown.points else None


def submissions(state: State, names: Sequence[str]) -> Table:
    """Return the submissions, with a column for each field of any round; `names` are the seats' names."""
    rows = [row for shown in state.played for row in _of_round(state, shown)]

    def words(row: Submission) -> str:
        return "not published" if row.values is None else spoken(row.of_round, row.values, names) or "nothing"

    columns: list[Column[Submission]] = [
        Column("Round", lambda it: it.shown.number, "number"),
        Column("Title", lambda it: title_of(it.of_round)),
        Column("Player", lambda it: None if it.seat is None else names[it.seat]),
        Column("Submitted", words),
        Column("Points", lambda it: it.points, "number"),
    ]
    for key in dict.fromkeys(_key(field) for row in rows for field in row.of_round.fields):
        columns.append(_column(key, names, rows, {it.heading for it in columns}))
    return Table("submissions", "Submissions", columns, rows)


def _of_round(state: State, shown: Shown) -> Iterator[Submission]:
    """Yield the submissions by seat, then those that were published without names, if any isn't known by its seat."""
    of_round = state.rounds[shown.index]
    for entry in sorted(shown.entries, key=lambda it: it.seat):
        yield Submission(shown, of_round, entry.seat, entry.values)
    if any(entry.values is None for entry in shown.entries):
        yield from (Submission(shown, of_round, None, values) for values in shown.choices)


def _key(field: AnyField) -> tuple[str, str]:
    """Return the name and the title of a field; fields of several rounds that have both are one column."""
    return field.name, title_of(field)


def _column(
    key: tuple[str, str], names: Sequence[str], rows: Sequence[Submission], headings: Container[str]
) -> Column[Submission]:
    """Return the column of the fields with this key; its heading is the title, unless another column has that."""

    def value(row: Submission) -> Cell:
        field = _field(row.of_round, key)
        if field is None or row.values is None or field.name not in row.values:
            return None
        given = row.values[field.name]
        return given if is_number and isinstance(given, int) else value_of(field, given, names)

    name, title = key
    is_number = all(isinstance(_field(row.of_round, key), Number | None) for row in rows)
    heading = title if title not in headings else f"{title} ({name})"
    return Column(heading, value, "number" if is_number else "text")


def _field(of_round: Round, key: tuple[str, str]) -> AnyField | None:
    return next((field for field in of_round.fields if _key(field) == key), None)
