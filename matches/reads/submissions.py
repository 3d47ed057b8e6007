"""The submissions of a contest as a table for spreadsheets: the rounds that are over, as one witness knows them."""

from collections.abc import Iterator, Sequence
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
    fields = {field.name: field for row in rows for field in row.of_round.fields}
    columns += [_column(name, names, _is_number(name, rows)) for name in fields]
    return Table("submissions", "Submissions", columns, rows)


def _of_round(state: State, shown: Shown) -> Iterator[Submission]:
    """Yield the submissions by seat, then those that were published without names, if any isn't known by its seat."""
    of_round = state.rounds[shown.index]
    for entry in sorted(shown.entries, key=lambda it: it.seat):
        yield Submission(shown, of_round, entry.seat, entry.values)
    if any(entry.values is None for entry in shown.entries):
        yield from (Submission(shown, of_round, None, values) for values in shown.choices)


def _column(name: str, names: Sequence[str], is_number: bool) -> Column[Submission]:
    """Return the column of the fields with this name."""

    def value(row: Submission) -> Cell:
        field = _field(row.of_round, name)
        if field is None or row.values is None or name not in row.values:
            return None
        given = row.values[name]
        return given if is_number and isinstance(given, int) else value_of(field, given, names)

    # The name, not the title: it is the same in all rounds, and that of the field in JSON.
    return Column(f"Field {name}", value, "number" if is_number else "text")


def _is_number(name: str, rows: Sequence[Submission]) -> bool:
    """True if the fields with this name are numbers in all rounds."""
    return all(isinstance(_field(row.of_round, name), Number | None) for row in rows)


def _field(of_round: Round, name: str) -> AnyField | None:
    return next((field for field in of_round.fields if field.name == name), None)
