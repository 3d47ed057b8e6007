"""A batch: commands of many streams in one statement, with the changes and checks that other packages add to it.

The statement has three parts. The gate, if there is one, selects the commands that may be stored. The function
`events_append_many` stores those of them whose stream, key, clock and hashes are right. The additions change other
tables for the stored commands. One statement is one transaction, so all of this happens or nothing.
"""

from collections.abc import Sequence
from datetime import datetime
from itertools import count
from typing import NamedTuple

from events.appending import COLUMNS, Command, Row, columns_of
from events.arrays import INTEGERS, Column
from events.pipeline import BinaryStatement, Rows

_STATEMENT = """
WITH allowed (n) AS MATERIALIZED ({allowed}),
stored AS MATERIALIZED (SELECT * FROM events_append_many(ARRAY(SELECT n FROM allowed), {values}, false)),
moved (n) AS MATERIALIZED (SELECT unnest(stored) FROM stored){additions}
SELECT shown, stored FROM stored
"""


class Part(NamedTuple):
    """A query over rows of the commands, which replace `{rows}` in `sql`. Each row has `n`, the command's number,
    followed by a value for each of `columns`."""

    sql: str
    columns: tuple[Column, ...]


class BatchStatement:
    """The statement for a gate and additions. The gate selects, as `n`, the commands that may be stored. An addition is
    a statement that changes something for those of its rows whose `n` is in `moved (n)`."""

    def __init__(self, gate: Part | None = None, additions: Sequence[Part] = ()) -> None:
        self._gate = gate
        self._additions = additions
        oids: list[int] = []
        numbers = count(1)

        def take(columns: Sequence[Column]) -> str:
            oids.extend([column.oid for column in columns])
            return ", ".join(f"${next(numbers)}" for _ in columns)

        allowed = f"SELECT unnest({take([INTEGERS])})"
        if gate is not None:
            allowed += f" UNION ALL {gate.sql.format(rows=_rows(take((INTEGERS, *gate.columns))))}"
        values = take(COLUMNS)
        changes = (it.sql.format(rows=_rows(take((INTEGERS, *it.columns)))) for it in additions)
        added = "".join(f",\naddition_{number} AS ({sql})" for number, sql in enumerate(changes))
        sql = _STATEMENT.format(allowed=allowed, values=values, additions=added)
        self.statement = BinaryStatement(sql, tuple(oids))

    def values(self, commands: Sequence[Command]) -> list[bytes]:
        """Return the statement's parameters for these commands, each of another stream."""
        numbered = list(enumerate(commands, 1))
        ungated = [n for n, it in numbered if it.gate is None or self._gate is None]
        written = [INTEGERS.write(ungated)]
        if self._gate is not None:
            written += _written(self._gate, [(n, *it.gate) for n, it in numbered if it.gate is not None])
        written += columns_of(commands)
        for place, addition in enumerate(self._additions):
            rows = [(n, *row) for n, it in numbered if (row := it.sealed.beside[place]) is not None]
            written += _written(addition, rows)
        return written


def outcome(rows: Rows) -> tuple[datetime, set[int]]:
    """Return the database's clock and the numbers of the stored commands."""
    ((shown, stored),) = rows
    return shown, set(stored)


def _rows(values: str) -> str:
    return f"unnest({values})"


def _written(part: Part, rows: Sequence[Row]) -> list[bytes]:
    columns = (INTEGERS, *part.columns)
    if not rows:
        return [column.write(()) for column in columns]
    return [column.write(values) for column, values in zip(columns, zip(*rows, strict=True), strict=True)]
