"""The database backend for the service's role: ENGINE = "config.postgres"."""

from select import POLLIN, poll
from typing import Any

import psycopg
from django.db.backends.postgresql import base
from django.db.utils import DatabaseErrorWrapper, OperationalError
from django.utils.functional import cached_property
from psycopg_pool import ConnectionPool

from events.pipeline import TAKES_NO_WRITES


class DatabaseWrapper(base.DatabaseWrapper):
    """Checks a pooled connection before it is used.

    The pool's own check queries the server each time, which costs a move two round trips. A server that is gone, or
    that has ended a session, has closed the socket. A socket without pending data therefore needs no query.
    """

    def get_new_connection(self, conn_params: dict[str, Any]) -> psycopg.Connection[Any]:
        """Return a connection of the pool that isn't lost. Lost ones are removed from the pool, so the loop ends."""
        connection: psycopg.Connection[Any] = super().get_new_connection(conn_params)
        while self.pool is not None and _is_lost(connection):
            connection.close()
            self.pool.putconn(connection)
            connection = super().get_new_connection(conn_params)
        return connection

    @cached_property
    def wrap_database_errors(self) -> DatabaseErrorWrapper:
        """Django's errors for psycopg's. A server that no longer accepts writes counts as unavailable."""
        return _Errors(self)


class _Errors(DatabaseErrorWrapper):
    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if isinstance(error, psycopg.errors.ReadOnlySqlTransaction):
            # Don't return a session of the old primary to the pool.
            self.wrapper.connection.close()
            self.wrapper.errors_occurred = True
            raise OperationalError(TAKES_NO_WRITES) from error
        super().__exit__(kind, error, trace)


def _is_lost(connection: psycopg.Connection[Any]) -> bool:
    poller = poll()
    poller.register(connection.fileno(), POLLIN)
    if not poller.poll(0):
        return False
    # The data may be only a notice, for example about a changed setting.
    try:
        ConnectionPool.check_connection(connection)
    except psycopg.Error:
        return True
    return False
