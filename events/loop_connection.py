"""A database connection for the event loop, which it never blocks.

psycopg connects, waits and reads the answer. The caller encodes the values, which go to libpq unchanged.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import psycopg
from django.conf import settings
from psycopg import generators
from psycopg.adapt import Transformer
from psycopg.conninfo import make_conninfo
from psycopg.pq import ExecStatus
from psycopg.pq.abc import PGresult

from events.pipeline import TAKES_NO_WRITES, Rows, error_of

_CONNECT_SECONDS = 5
# Detect a server that vanished within 15 seconds, because all commands wait for this connection.
_ALIVE = {"keepalives_idle": 5, "keepalives_interval": 5, "keepalives_count": 2, "tcp_user_timeout": 15_000}
_BINARY = 1
_SESSION = "SELECT pg_backend_pid()"
# With array parameters no custom plan is better. The plan is made once, perhaps while the tables are small, and must
# suit large ones too, so it finds rows by their keys and never scans a table. Commands whose rows are locked fail
# quickly; a StreamTransaction can wait for them.
_SETTINGS = """
SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_hashjoin = off;
SET enable_mergejoin = off; SET lock_timeout = '50ms'; SET statement_timeout = '10s'
"""


class LoopStatement(NamedTuple):
    """A statement, and the OIDs of its parameters' types."""

    sql: str
    oids: tuple[int, ...] = ()


class LoopConnection:
    """A connection that opens when first needed, and again after it was lost. It runs one statement at a time."""

    def __init__(self) -> None:
        self._connection: psycopg.AsyncConnection[Any] | None = None
        self._names: dict[LoopStatement, bytes] = {}

    @property
    def is_lost(self) -> bool:
        """True if there is no connection. The result of a statement that has just failed is then unknown."""
        return self._connection is None or self._connection.closed

    async def run(self, statement: LoopStatement, values: Sequence[bytes | None] = ()) -> Rows:
        """Return the statement's rows for values in binary format. Raise psycopg.Error."""
        connection, name = await self._ready(statement)
        formats = [_BINARY] * len(values)
        connection.pgconn.send_query_prepared(name, values, param_formats=formats, result_format=_BINARY)
        result = await self._result(connection, ExecStatus.TUPLES_OK)
        transformer = Transformer(connection)
        transformer.set_pgresult(result)
        return transformer.load_rows(0, result.ntuples, tuple)

    async def be_ready(self, statement: LoopStatement) -> None:
        """Connect and prepare the statement, if that isn't done: it takes far longer than running it. Raise
        psycopg.Error."""
        await self._ready(statement)

    async def close(self) -> None:
        """Close the connection; the next statement opens another one."""
        if self._connection is not None:
            await self._connection.close()

    async def _ready(self, statement: LoopStatement) -> tuple[psycopg.AsyncConnection[Any], bytes]:
        if self._connection is None or self._connection.closed:
            self._connection, self._names = None, {}
            self._connection = await self._connect()
        name = self._names.get(statement) or await self._prepare(self._connection, statement)
        return self._connection, name

    async def _connect(self) -> psycopg.AsyncConnection[Any]:
        address = make_conninfo(settings.DATABASE_LOGINS.app, application_name="croupier", **_ALIVE)
        connection = await psycopg.AsyncConnection.connect(address, autocommit=True, connect_timeout=_CONNECT_SECONDS)
        try:
            ((session,),) = await (await connection.execute(_SESSION)).fetchall()
            # A pooler reports another session than the real one. Settings would stay in that session for its next
            # client, which must not give up on a lock after 50 ms.
            if session == connection.info.backend_pid:
                await connection.execute(_SETTINGS)
        except BaseException:
            await connection.close()
            raise
        return connection

    async def _prepare(self, connection: psycopg.AsyncConnection[Any], statement: LoopStatement) -> bytes:
        name = b"croupier_%d" % len(self._names)
        connection.pgconn.send_prepare(name, statement.sql.encode(), statement.oids)
        await self._result(connection, ExecStatus.COMMAND_OK)
        self._names[statement] = name
        return name

    async def _result(self, connection: psycopg.AsyncConnection[Any], status: ExecStatus) -> PGresult:
        (result,) = await connection.wait(generators.execute(connection.pgconn))
        if result.status == status:
            return result
        error = error_of(result)
        if isinstance(error, psycopg.errors.ReadOnlySqlTransaction):
            # A standby has taken over and this server is the old primary. The next connection reaches the new one.
            connection.pgconn.finish()
            raise psycopg.OperationalError(TAKES_NO_WRITES) from error
        raise error
