"""A batch: commands of many streams in one statement, with the changes and checks that other packages add to it.

The statement has three parts. The gate, if there is one, selects the commands that may be stored. The function
`events_append_many` stores those of them whose stream, key, clock and hashes are right. The additions change other
tables for the stored commands. One statement is one transaction, so all of this happens or nothing.
"""

from collections.abc import Sequence
from datetime import datetime
from itertools import count
from typing import NamedTuple

from events.appending import COLUMNS, Row, SealedCommand, columns_of
from events.arrays import INTEGERS, Column
from events.pipeline import BinaryStatement, Rows, Statement

_STATEMENT = """
WITH allowed (n) AS MATERIALIZED ({allowed}),
stored AS MATERIALIZED (SELECT * FROM events_append_many(ARRAY(SELECT n FROM allowed), {values}, false)),
moved (n) AS MATERIALIZED (SELECT unnest(stored) FROM stored){additions}
SELECT shown, stored FROM stored
"""


class Gate(NamedTuple):
    """A query for the numbers, `n`, of commands that may be stored, over their rows, which replace `{rows}` in `sql`.
    Each row has `n` followed by a value for each of `columns`."""

    sql: str
    columns: tuple[Column, ...]


class Addition:
    """A change of another table that is stored with a command, declared once for both ways into the log.

    `sql` has the name of each of `columns` in braces. An INSERT has `{values}` for all of them; any other statement has
    `{rows}` where a FROM clause may be. In a batch both stand for the rows of the stored commands.
    """

    def __init__(self, sql: str, **columns: Column) -> None:
        self._sql = sql
        self._names = tuple(columns)
        self.columns = tuple(columns.values())
        places = {name: f"${place}" for place, name in enumerate(columns, 1)}
        self.of_one = sql.format(values=f"VALUES ({', '.join(places.values())})", rows="", **places)
        """The statement for one command, with the values of its row."""

    def of_batch(self, arrays: str) -> str:
        """Return the part of a batch's statement, for arrays of the commands' numbers and of each column."""
        rows = f"FROM unnest({arrays}) AS c ({', '.join(('n', *self._names))}) JOIN moved USING (n)"
        columns = {name: f"c.{name}" for name in self._names}
        return self._sql.format(values=f"SELECT {', '.join(columns.values())} {rows}", rows=rows, **columns)


class BatchStatement:
    """The statement for a gate and additions. The gate selects, as `n`, the commands that may be stored."""

    def __init__(self, gate: Gate | None = None, additions: Sequence[Addition] = ()) -> None:
        self._gate = gate
        self._additions = additions
        oids: list[int] = []
        numbers = count(1)

        def take(columns: Sequence[Column]) -> str:
            oids.extend([column.oid for column in columns])
            return ", ".join(f"${next(numbers)}" for _ in columns)

        allowed = f"SELECT unnest({take([INTEGERS])})"
        if gate is not None:
            allowed += f" UNION ALL {gate.sql.format(rows=f'unnest({take((INTEGERS, *gate.columns))})')}"
        values = take(COLUMNS)
        changes = (it.of_batch(take((INTEGERS, *it.columns))) for it in additions)
        added = "".join(f",\naddition_{number} AS ({sql})" for number, sql in enumerate(changes))
        sql = _STATEMENT.format(allowed=allowed, values=values, additions=added)
        self.statement = BinaryStatement(sql, tuple(oids))

    def values(self, commands: Sequence[SealedCommand]) -> list[bytes]:
        """Return the statement's parameters for these commands, each of another stream."""
        numbered = list(enumerate(commands, 1))
        ungated = [n for n, it in numbered if it.gate is None or self._gate is None]
        written = [INTEGERS.write(ungated)]
        if self._gate is not None:
            written += _written(self._gate.columns, [(n, *it.gate) for n, it in numbered if it.gate is not None])
        written += columns_of(commands)
        for place, addition in enumerate(self._additions):
            rows = [(n, *row) for n, it in numbered if (row := it.sealed.beside[place]) is not None]
            written += _written(addition.columns, rows)
        return written

    def changes(self, beside: Sequence[Row | None]) -> list[Statement]:
        """Return the additions of one command as statements to run after it in the same transaction."""
        return [(it.of_one, row) for it, row in zip(self._additions, beside, strict=True) if row is not None]


def outcome(rows: Rows) -> tuple[datetime, set[int]]:
    """Return the database's clock and the numbers of the stored commands."""
    ((shown, stored),) = rows
    return shown, set(stored)


def _written(columns: Sequence[Column], rows: Sequence[Row]) -> list[bytes]:
    written = (INTEGERS, *columns)
    if not rows:
        return [column.write(()) for column in written]
    return [column.write(values) for column, values in zip(written, zip(*rows, strict=True), strict=True)]
