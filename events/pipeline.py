"""Prepared statements over libpq: several in one round trip, for threads and for event loops.

psycopg's own pipeline waits on the socket for every statement. This module waits once, which saves a third of a move's
time. It encodes values of the few types that a move uses; psycopg encodes all others, loads the rows, makes the errors
and waits: a function that may have to wait is a generator, which the `wait` of a psycopg connection runs. `Exchange`
does that in a thread, `events.loop_connection` on an event loop.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple, TypeVar
from uuid import UUID
from weakref import WeakKeyDictionary

import psycopg
from psycopg.abc import PQGen, Transformer
from psycopg.adapt import PyFormat
from psycopg.adapt import Transformer as new_transformer
from psycopg.pq import ConnStatus, ExecStatus
from psycopg.pq.abc import PGconn, PGresult
from psycopg.waiting import Wait

TAKES_NO_WRITES = "This server takes no writes: another one may have taken over."
_BINARY = 1
_FAILED = (ExecStatus.FATAL_ERROR, ExecStatus.PIPELINE_ABORTED)

Rows = list[tuple[Any, ...]]
T = TypeVar("T")


class BinaryStatement(NamedTuple):
    """A statement whose values the caller encodes in binary format, and the OIDs of their types."""

    sql: str
    oids: tuple[int, ...] = ()


Statement = tuple[str | BinaryStatement, Sequence[Any]]
"""SQL with placeholders `$1`, `$2` ..., and its values."""

_names: WeakKeyDictionary[PGconn, dict[str | BinaryStatement, bytes]] = WeakKeyDictionary()
"""The names of each connection's prepared statements."""
_pending: WeakKeyDictionary[PGconn, "Exchange"] = WeakKeyDictionary()
"""The exchange of each thread's connection whose results haven't been received."""


class Exchange:
    """Statements that were sent; `results` reads their results.

    The caller's code in between runs while the server works. Until the results are read, the connection serves only
    another `roundtrip`, which waits for this exchange first.
    """

    def __init__(self, connection: psycopg.Connection[Any], statements: Sequence[Statement]) -> None:
        succeed_pending(connection)
        self._connection, self._pgconn = connection, connection.pgconn
        self._transformer: Transformer = new_transformer(connection)
        self._results: list[PGresult] = []
        if new := unprepared(self._pgconn, [statement for statement, _ in statements]):
            self._wait(prepare(self._pgconn, new))
        self._count = send(self._pgconn, statements, self._transformer)
        _pending[self._pgconn] = self
        try:
            self._wait(flush(self._pgconn))
        except BaseException:
            self.finish()
            raise

    def results(self) -> list[Rows]:
        """Return each statement's rows, or raise the first error; the statements after it were skipped."""
        self.succeed()
        return [load(result, self._transformer) for result in self._results]

    def succeed(self) -> None:
        """Wait for the results, and raise the first error."""
        self.finish()
        raise_first(self._results, self._pgconn)

    def finish(self) -> None:
        """Wait until the server has answered all statements, then free the connection."""
        if _pending.get(self._pgconn) is self:
            del _pending[self._pgconn]
            self._results = self._wait(receive(self._pgconn, self._count))

    def _wait(self, steps: PQGen[T]) -> T:
        """Wait as the steps ask. Other threads run meanwhile, even the one that holds the lock for which a statement
        waits; libpq's own wait would block the whole process."""
        return self._connection.wait(steps)


def roundtrip(connection: psycopg.Connection[Any], statements: Sequence[Statement]) -> list[Rows]:
    """Run the statements in order and return each one's rows, or raise the first error; the statements after it are
    skipped."""
    return Exchange(connection, statements).results()


def succeed_pending(connection: psycopg.Connection[Any]) -> None:
    """Wait for pending statements of this connection and raise their first error: a later statement of the transaction
    would only fail with a less helpful one."""
    if pending := _pending.get(connection.pgconn):
        pending.succeed()


def finish_pending(connection: psycopg.Connection[Any]) -> None:
    """Wait for pending statements of this connection and ignore their errors."""
    if pending := _pending.get(connection.pgconn):
        pending.finish()


def unprepared(pgconn: PGconn, statements: Iterable[str | BinaryStatement]) -> list[str | BinaryStatement]:
    """Return those of these statements that this connection hasn't prepared yet, each once."""
    names = _names.setdefault(pgconn, {})
    return [statement for statement in dict.fromkeys(statements) if statement not in names]


def prepare(pgconn: PGconn, statements: Iterable[str | BinaryStatement]) -> PQGen[None]:
    """Prepare these statements for this connection. Raise psycopg.Error."""
    names = _names[pgconn]
    for statement in statements:
        name = b"croupier_%d" % len(names)
        sql, oids = (statement, ()) if isinstance(statement, str) else statement
        pgconn.send_prepare(name, sql.encode(), oids)
        yield from flush(pgconn)
        result = yield from _next_result(pgconn)
        yield from _end_of_results(pgconn)
        raise_first([result], pgconn)
        names[statement] = name


def send(pgconn: PGconn, statements: Sequence[Statement], transformer: Transformer) -> int:
    """Queue prepared statements in pipeline mode, with the sync point that ends them, and return how many there are.

    All values are encoded before anything is queued: a queued statement is executed even if a later value is refused.
    """
    names = _names[pgconn]
    queue = [(names[statement], *_encoded(statement, values, transformer)) for statement, values in statements]
    pgconn.enter_pipeline_mode()
    try:
        for name, values, formats in queue:
            pgconn.send_query_prepared(name, values, param_formats=formats, result_format=_BINARY)
        pgconn.pipeline_sync()
    except BaseException:
        # A part of the queue must not be executed.
        pgconn.finish()
        raise
    return len(queue)


def exchange(pgconn: PGconn, statements: Sequence[Statement], transformer: Transformer) -> PQGen[list[PGresult]]:
    """Send prepared statements and return their results."""
    count = send(pgconn, statements, transformer)
    yield from flush(pgconn)
    return (yield from receive(pgconn, count))


def flush(pgconn: PGconn) -> PQGen[None]:
    """Send what is queued."""
    while pgconn.flush():
        # The server may accept more only after its output is read.
        yield Wait.RW
        pgconn.consume_input()


def receive(pgconn: PGconn, count: int) -> PQGen[list[PGresult]]:
    """Return the results of the last `count` statements sent, and leave pipeline mode."""
    results = []
    try:
        for _ in range(count):
            results.append((yield from _next_result(pgconn)))
            yield from _end_of_results(pgconn)
        yield from _next_result(pgconn)
    finally:
        if pgconn.status == ConnStatus.OK:
            pgconn.exit_pipeline_mode()
    return results


def _next_result(pgconn: PGconn) -> PQGen[PGresult]:
    while pgconn.is_busy():
        yield Wait.R
        pgconn.consume_input()
    result = pgconn.get_result()
    if result is None:
        raise psycopg.OperationalError(f"The database connection is lost: {pgconn.get_error_message()}")
    return result


def _end_of_results(pgconn: PGconn) -> PQGen[None]:
    while pgconn.is_busy():
        yield Wait.R
        pgconn.consume_input()
    pgconn.get_result()


def raise_first(results: Iterable[PGresult], pgconn: PGconn) -> None:
    """Raise the first error of these results, if any."""
    failed = next((result for result in results if result.status in _FAILED), None)
    if failed is None:
        return
    error = error_of(failed)
    if isinstance(error, psycopg.errors.ReadOnlySqlTransaction):
        # A standby has taken over and this server is the old primary. The next connection reaches the new one.
        pgconn.finish()
        raise psycopg.OperationalError(TAKES_NO_WRITES) from error
    raise error


def error_of(result: PGresult) -> psycopg.Error:
    """Return the error of a failed result. Without a message from the server, the connection is lost."""
    error = psycopg.errors.error_from_result(result)
    return error if error.sqlstate else psycopg.OperationalError(str(error))


def load(result: PGresult, transformer: Transformer) -> Rows:
    """Return a result's rows; none for a statement that returns no rows."""
    if result.status != ExecStatus.TUPLES_OK:
        return []
    transformer.set_pgresult(result)
    return transformer.load_rows(0, result.ntuples, tuple)


def array(items: Iterable[str | bytes | int | None]) -> str:
    """Return an array literal. psycopg's own dumper looks for one type that fits all items, which takes ten times as
    long."""
    return "{" + ",".join(map(_item, items)) + "}"


def _item(item: str | bytes | int | None) -> str:
    if item is None:
        return "NULL"
    if isinstance(item, bytes):
        return f'"\\\\x{item.hex()}"'
    quoted = str(item).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{quoted}"'


def _encoded(
    statement: str | BinaryStatement, values: Sequence[Any], transformer: Transformer
) -> tuple[Sequence[Any] | None, list[int] | None]:
    """Return the values as libpq takes them, and their formats, None for text."""
    if isinstance(statement, BinaryStatement):
        return values, [_BINARY] * len(values)
    dumped = [dump(value) if (dump := _DUMPERS.get(type(value))) else _adapted(value, transformer) for value in values]
    return dumped or None, None


def _adapted(value: Any, transformer: Transformer) -> Any:
    """Let psycopg encode a value whose type isn't encoded here."""
    return transformer.dump_sequence([value], [PyFormat.TEXT])[0]


def _text(value: str) -> bytes:
    if "\0" in value:
        raise psycopg.DataError("PostgreSQL text fields cannot contain NUL (0x00) bytes.")
    return value.encode()


_DUMPERS: dict[type, Callable[[Any], bytes | None]] = {
    str: _text,
    type(None): lambda _: None,
    int: lambda value: b"%d" % value,
    bool: lambda value: b"t" if value else b"f",
    bytes: lambda value: b"\\x" + value.hex().encode(),
    UUID: lambda value: value.hex.encode(),
    datetime: lambda value: value.isoformat().encode(),
}
"""Encoders, in text format, for the types that a move uses; they take a quarter of the time of psycopg's."""
