"""A database connection for the event loop, which it never blocks.

psycopg connects and waits, `events.pipeline` sends and receives.
"""

from collections.abc import Sequence
from typing import Any

import psycopg
from django.conf import settings
from psycopg.adapt import Transformer
from psycopg.conninfo import make_conninfo

from events.pipeline import BinaryStatement, Rows, exchange, load, prepare, raise_first, unprepared

_CONNECT_SECONDS = 5
# Detect a server that vanished within 15 seconds, because all commands wait for this connection.
_ALIVE = {"keepalives_idle": 5, "keepalives_interval": 5, "keepalives_count": 2, "tcp_user_timeout": 15_000}
_SESSION = "SELECT pg_backend_pid()"
# With array parameters no custom plan is better. The plan is made once, perhaps while the tables are small, and must
# suit large ones too, so it finds rows by their keys and never scans a table. Commands whose rows are locked fail
# quickly; a StreamTransaction can wait for them.
_SETTINGS = """
SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_hashjoin = off;
SET enable_mergejoin = off; SET lock_timeout = '50ms'; SET statement_timeout = '10s'
"""


class LoopConnection:
    """A connection that opens when first needed, and again after it was lost. It runs one statement at a time."""

    def __init__(self) -> None:
        self._connection: psycopg.AsyncConnection[Any] | None = None

    @property
    def is_lost(self) -> bool:
        """True if there is no connection. The result of a statement that has just failed is then unknown."""
        return self._connection is None or self._connection.closed

    async def run(self, statement: BinaryStatement, values: Sequence[bytes | None] = ()) -> Rows:
        """Return the statement's rows for values in binary format. Raise psycopg.Error."""
        connection = await self._ready(statement)
        transformer = Transformer(connection)
        results = await connection.wait(exchange(connection.pgconn, [(statement, values)], transformer))
        raise_first(results, connection.pgconn)
        return load(results[0], transformer)

    async def be_ready(self, statement: BinaryStatement) -> None:
        """Connect and prepare the statement, if that isn't done: it takes far longer than running it. Raise
        psycopg.Error."""
        await self._ready(statement)

    async def close(self) -> None:
        """Close the connection; the next statement opens another one."""
        if self._connection is not None:
            await self._connection.close()

    async def _ready(self, statement: BinaryStatement) -> psycopg.AsyncConnection[Any]:
        if self._connection is None or self._connection.closed:
            self._connection = None
            self._connection = await self._connect()
        if new := unprepared(self._connection.pgconn, [statement]):
            await self._connection.wait(prepare(self._connection.pgconn, new))
        return self._connection

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
