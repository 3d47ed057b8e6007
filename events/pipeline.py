"""Several statements in one round trip: libpq's pipeline mode over statements prepared once a connection.

psycopg's own pipeline waits on the socket for every statement; this path waits once, which is worth a third of a
move's time. Values of a move's few types are written here, all others by psycopg; rows and errors are psycopg's.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from select import POLLIN, POLLOUT, poll
from typing import Any
from uuid import UUID
from weakref import WeakKeyDictionary

import psycopg
from psycopg.abc import Transformer
from psycopg.adapt import PyFormat
from psycopg.adapt import Transformer as new_transformer
from psycopg.pq import ExecStatus
from psycopg.pq.abc import PGconn, PGresult

Statement = tuple[str, Sequence[Any]]
"""SQL with `$1`, `$2` ... placeholders, and its values."""

Rows = list[tuple[Any, ...]]

TAKES_NO_WRITES = "This server takes no writes: another one may have taken over."
_BINARY = 1
_FAILED = (ExecStatus.FATAL_ERROR, ExecStatus.PIPELINE_ABORTED)


class _Line:
    """The state of a connection: its prepared statements' names, its selector, and the exchange that is pending."""

    def __init__(self, pgconn: PGconn) -> None:
        self.names: dict[str, bytes] = {}
        self.pending: Exchange | None = None
        self.answer = poll()
        self.answer.register(pgconn.socket, POLLIN)


_lines: WeakKeyDictionary[PGconn, _Line] = WeakKeyDictionary()


def _line(pgconn: PGconn) -> _Line:
    line = _lines.get(pgconn)
    if line is None:
        line = _lines[pgconn] = _Line(pgconn)
    return line


class Exchange:
    """Statements that were sent; their results are read when `results` is called.

    What the caller does in between runs while the server works. Until the answer the connection serves nothing else,
    but for another `roundtrip`, which waits for this one first.
    """

    def __init__(self, connection: psycopg.Connection[Any], statements: Sequence[Statement]) -> None:
        self._pgconn = pgconn = connection.pgconn
        self._line = line = _line(pgconn)
        if line.pending:
            line.pending.succeed()
        self._transformer: Transformer = new_transformer(connection)
        self._results: list[PGresult] = []
        self._waited_for = 0
        self._ended = False
        prepare(connection, [sql for sql, _ in statements])
        pgconn.enter_pipeline_mode()
        line.pending = self
        self._put(statements)

    def _put(self, statements: Sequence[Statement]) -> None:
        try:
            # All are written before one is queued: what is queued is carried out, also where a later value is refused.
            written = [(self._line.names[sql], self._dumped(values)) for sql, values in statements]
            for name, values in written:
                self._pgconn.send_query_prepared(name, values, result_format=_BINARY)
                self._waited_for += 1
            self._pgconn.pipeline_sync()
            self._ended = True
            _send(self._pgconn)
        except BaseException:
            self.finish()
            raise

    def _dumped(self, values: Sequence[Any]) -> list[Any] | None:
        return [
            dump(value) if (dump := _DUMPERS.get(type(value))) else self._adapted(value) for value in values
        ] or None

    def _adapted(self, value: Any) -> Any:
        """A value of a type that isn't written here, as psycopg writes it."""
        return self._transformer.dump_sequence([value], [PyFormat.TEXT])[0]

    def results(self) -> list[Rows]:
        """Each statement's rows; the first error is raised, what follows it was skipped."""
        self.succeed()
        return [_load(self._transformer, result) for result in self._results]

    def succeed(self) -> None:
        """Wait for the answers; the first error is raised."""
        self.finish()
        failed = next((result for result in self._results if result.status in _FAILED), None)
        if failed is not None:
            error = error_of(failed)
            if isinstance(error, psycopg.errors.ReadOnlySqlTransaction):
                # A standby has taken over, and this server is the old primary: the next connection finds the new one.
                self._pgconn.finish()
                raise psycopg.OperationalError(TAKES_NO_WRITES) from error
            raise error

    def finish(self) -> None:
        """Wait until the server has answered all of them; the connection is free again."""
        if self._line.pending is not self:
            return
        try:
            if not self._ended:
                self._pgconn.pipeline_sync()
            self._results = _receive(self._pgconn, self._line, self._waited_for)
        finally:
            self._leave()

    def _leave(self) -> None:
        self._line.pending = None
        if self._pgconn.status == psycopg.pq.ConnStatus.OK:
            self._pgconn.exit_pipeline_mode()


def roundtrip(connection: psycopg.Connection[Any], statements: Sequence[Statement]) -> list[Rows]:
    """Run the statements in order and give each one's rows; the first error is raised, what follows it is skipped."""
    return Exchange(connection, statements).results()


def succeed_pending(connection: psycopg.Connection[Any]) -> None:
    """Wait for the statements that are pending on this connection; the first error is raised, since whatever follows in
    the transaction would only fail with a less helpful one."""
    line = _lines.get(connection.pgconn)
    if line is not None and line.pending is not None:
        line.pending.succeed()


def finish_pending(connection: psycopg.Connection[Any]) -> None:
    """Wait for the statements that are pending on this connection; their errors are ignored."""
    line = _lines.get(connection.pgconn)
    if line is not None and line.pending is not None:
        line.pending.finish()


def array(items: Iterable[str | bytes | int | None]) -> str:
    """An array literal; psycopg's own dumper looks for one type that fits all items, which takes ten times as long."""
    return "{" + ",".join(map(_item, items)) + "}"


def _item(item: str | bytes | int | None) -> str:
    if item is None:
        return "NULL"
    if isinstance(item, bytes):
        return f'"\\\\x{item.hex()}"'
    quoted = str(item).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{quoted}"'


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
"""How values of a move's types are written, in the text format; a quarter of what psycopg's adaptation takes."""


def prepare(connection: psycopg.Connection[Any], statements: Iterable[str]) -> None:
    """Prepare those statements that this connection hasn't met yet."""
    line = _line(connection.pgconn)
    for sql in statements:
        if sql not in line.names:
            name = b"croupier_%d" % len(line.names)
            result = connection.pgconn.prepare(name, sql.encode())
            if result.status != ExecStatus.COMMAND_OK:
                raise error_of(result)
            line.names[sql] = name


def error_of(result: PGresult) -> psycopg.Error:
    """The error of a failed result; one without a server's message means that the connection is lost."""
    error = psycopg.errors.error_from_result(result)
    return error if error.sqlstate else psycopg.OperationalError(str(error))


def _send(pgconn: PGconn) -> None:
    """Send what is queued."""
    while pgconn.flush():
        # The server may have to be read from before it takes more.
        room = poll()
        room.register(pgconn.socket, POLLIN | POLLOUT)
        room.poll()
        pgconn.consume_input()


def _receive(pgconn: PGconn, line: _Line, count: int) -> list[PGresult]:
    """One result a statement, up to the pipeline's sync point."""
    results = []
    for _ in range(count):
        results.append(_next_result(pgconn, line))
        pgconn.get_result()
    _next_result(pgconn, line)
    return results


def _next_result(pgconn: PGconn, line: _Line) -> PGresult:
    while pgconn.is_busy():
        # Where other threads may run meanwhile: libpq's own wait would stop the whole process, also the thread that
        # holds the lock which this statement waits for.
        line.answer.poll()
        pgconn.consume_input()
    result = pgconn.get_result()
    if result is None:
        raise psycopg.OperationalError(f"The database connection is lost: {pgconn.get_error_message()}")
    return result


def _load(transformer: Transformer, result: PGresult) -> Rows:
    if result.status != ExecStatus.TUPLES_OK:
        return []
    transformer.set_pgresult(result)
    return transformer.load_rows(0, result.ntuples, tuple)
