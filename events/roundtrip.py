"""Several statements in one round trip: libpq's pipeline mode over statements prepared once a connection.

psycopg's own pipeline waits on the socket for every statement; this path waits once, which is worth a third of a
move's time. Values are adapted by psycopg, errors are psycopg's.
"""

from collections.abc import Iterable, Sequence
from select import POLLIN, POLLOUT, poll
from typing import Any
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

_BINARY = 1
_FAILED = (ExecStatus.FATAL_ERROR, ExecStatus.PIPELINE_ABORTED)

_prepared: WeakKeyDictionary[PGconn, dict[str, bytes]] = WeakKeyDictionary()
_pending: WeakKeyDictionary[PGconn, "Exchange"] = WeakKeyDictionary()


class Exchange:
    """Statements on their way: sent at once, answered when `results` is asked for.

    What the caller does in between runs while the server works. Until then the connection serves nothing else, but
    for another `roundtrip`, which waits for this one first.
    """

    def __init__(self, connection: psycopg.Connection[Any], statements: Sequence[Statement]) -> None:
        finish_pending(connection)
        self._pgconn = pgconn = connection.pgconn
        self._transformer: Transformer = new_transformer(connection)
        self._results: list[PGresult] = []
        self._waited_for = len(statements)
        names = [_name(pgconn, sql) for sql, _ in statements]
        pgconn.enter_pipeline_mode()
        _pending[pgconn] = self
        try:
            for name, (_, values) in zip(names, statements, strict=True):
                pgconn.send_query_prepared(name, _dump(self._transformer, values), result_format=_BINARY)
            _send(pgconn)
        except BaseException:
            self._leave()
            raise

    def results(self) -> list[Rows]:
        """Each statement's rows; the first error is raised, what follows it was skipped."""
        self.finish()
        failed = next((result for result in self._results if result.status in _FAILED), None)
        if failed is not None:
            raise psycopg.errors.error_from_result(failed)
        return [_load(self._transformer, result) for result in self._results]

    def finish(self) -> None:
        """Wait until the server has answered all of them; the connection is free again."""
        if _pending.get(self._pgconn) is not self:
            return
        try:
            self._results = _receive(self._pgconn, self._waited_for)
        finally:
            self._leave()

    def _leave(self) -> None:
        del _pending[self._pgconn]
        if self._pgconn.status == psycopg.pq.ConnStatus.OK:
            self._pgconn.exit_pipeline_mode()


def roundtrip(connection: psycopg.Connection[Any], statements: Sequence[Statement]) -> list[Rows]:
    """Run the statements in order and give each one's rows; the first error is raised, what follows it is skipped."""
    return Exchange(connection, statements).results()


def finish_pending(connection: psycopg.Connection[Any]) -> None:
    """Wait for what is still on its way on this connection, before anything else is asked of it."""
    pending = _pending.get(connection.pgconn)
    if pending is not None:
        pending.finish()


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


def _name(pgconn: PGconn, sql: str) -> bytes:
    """The prepared statement's name; prepared at its first use on this connection."""
    known = _prepared.setdefault(pgconn, {})
    name = known.get(sql)
    if name is None:
        name = b"croupier_%d" % len(known)
        result = pgconn.prepare(name, sql.encode())
        if result.status != ExecStatus.COMMAND_OK:
            raise psycopg.errors.error_from_result(result)
        known[sql] = name
    return name


def _dump(transformer: Transformer, values: Sequence[Any]) -> Sequence[Any] | None:
    return transformer.dump_sequence(values, [PyFormat.TEXT] * len(values)) if values else None


def _send(pgconn: PGconn) -> None:
    """Send what is queued, up to the pipeline's sync point."""
    pgconn.pipeline_sync()
    while pgconn.flush():
        _wait(pgconn, POLLIN | POLLOUT)


def _receive(pgconn: PGconn, count: int) -> list[PGresult]:
    """One result a statement, up to the pipeline's sync point."""
    results = []
    for _ in range(count):
        results.append(_next_result(pgconn))
        pgconn.get_result()
    _next_result(pgconn)
    return results


def _wait(pgconn: PGconn, event: int = POLLIN) -> None:
    """Wait for the server where other threads may run meanwhile: libpq's own wait would stop the whole process, also
    the thread that holds the lock which this statement waits for."""
    poller = poll()
    poller.register(pgconn.socket, event)
    poller.poll()
    pgconn.consume_input()


def _next_result(pgconn: PGconn) -> PGresult:
    while pgconn.is_busy():
        _wait(pgconn)
    result = pgconn.get_result()
    if result is None:
        raise psycopg.OperationalError(f"The database connection is lost: {pgconn.get_error_message()}")
    return result


def _load(transformer: Transformer, result: PGresult) -> Rows:
    if result.status != ExecStatus.TUPLES_OK:
        return []
    transformer.set_pgresult(result)
    return transformer.load_rows(0, result.ntuples, tuple)
