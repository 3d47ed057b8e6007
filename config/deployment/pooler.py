"""Detection of a pooler such as PgBouncer that doesn't keep prepared statements."""

from contextlib import ExitStack
from typing import Any

import psycopg

_PREPARED = b"croupier_start"
_SESSION = "SELECT pg_backend_pid()"
_ATTEMPTS = 3


class UnfitPooler(Exception):
    """The pooler gives each transaction another session, in which nothing is prepared."""

    def __init__(self) -> None:
        super().__init__(
            "Between it and Postgres stands a pooler that gives each transaction another session and doesn't know what "
            "was prepared in the one before. In PgBouncer set max_prepared_statements = 200, which takes version 1.21 "
            "or later, or pool_mode = session."
        )


def refuse_unfit_pooler(url: str) -> None:
    """Raise UnfitPooler if a statement that this login prepares is lost after its transaction."""
    with ExitStack() as stack:
        first = stack.enter_context(psycopg.connect(url, autocommit=True, connect_timeout=10))
        session = _session(first)
        # A pooler can't know its client's future session, so it reports an invented pid.
        if session == first.info.backend_pid:
            return
        first.pgconn.prepare(_PREPARED, b"SELECT 1")
        for _ in range(_ATTEMPTS):
            other = stack.enter_context(psycopg.connect(url, connect_timeout=10))
            if _session(other) == session:
                # The other connection keeps the session while its transaction is open, so the first one gets another.
                if first.pgconn.exec_prepared(_PREPARED, []).status != psycopg.pq.ExecStatus.TUPLES_OK:
                    raise UnfitPooler
                return


def _session(connection: psycopg.Connection[Any]) -> int:
    ((number,),) = connection.execute(_SESSION).fetchall()
    return int(number)
