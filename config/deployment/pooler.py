"""Whether a pooler such as PgBouncer stands before the database, and whether it keeps what is prepared."""

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
    """Raise UnfitPooler where a statement that this login prepares is gone with its transaction."""
    with ExitStack() as held:
        mine = held.enter_context(psycopg.connect(url, autocommit=True, connect_timeout=10))
        session = _session(mine)
        # A pooler can't tell its clients which session they will have: it makes a number up.
        if session == mine.info.backend_pid:
            return
        mine.pgconn.prepare(_PREPARED, b"SELECT 1")
        for _ in range(_ATTEMPTS):
            other = held.enter_context(psycopg.connect(url, connect_timeout=10))
            if _session(other) == session:
                # It has the session for as long as its transaction is open, so this one gets another.
                if mine.pgconn.exec_prepared(_PREPARED, []).status != psycopg.pq.ExecStatus.TUPLES_OK:
                    raise UnfitPooler
                return


def _session(connection: psycopg.Connection[Any]) -> int:
    ((number,),) = connection.execute(_SESSION).fetchall()
    return int(number)
