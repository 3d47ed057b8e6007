"""The database backend of the service's own role: ENGINE = "config.postgres"."""

from select import POLLIN, poll
from typing import Any

import psycopg
from django.db.backends.postgresql import base
from django.db.utils import DatabaseErrorWrapper, OperationalError
from django.utils.functional import cached_property
from psycopg_pool import ConnectionPool

from events.pipeline import TAKES_NO_WRITES


class DatabaseWrapper(base.DatabaseWrapper):
    """Looks at a pooled connection before it is used.

    The pool's own check asks the server each time, which costs a move two round trips. A server that has gone, or has
    ended a session, has closed the socket; so a socket on which nothing waits needs no question.
    """

    def get_new_connection(self, conn_params: dict[str, Any]) -> psycopg.Connection[Any]:
        """A connection of the pool that isn't lost. Each lost one is put out of it, so this comes to an end."""
        connection: psycopg.Connection[Any] = super().get_new_connection(conn_params)
        while self.pool is not None and _is_lost(connection):
            connection.close()
            self.pool.putconn(connection)
            connection = super().get_new_connection(conn_params)
        return connection

    @cached_property
    def wrap_database_errors(self) -> DatabaseErrorWrapper:
        """Django's errors for psycopg's; a server that takes no writes any more counts as one that is away."""
        return _Errors(self)


class _Errors(DatabaseErrorWrapper):
    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if isinstance(error, psycopg.errors.ReadOnlySqlTransaction):
            # Nobody else is to be given a session of the old primary.
            self.wrapper.connection.close()
            self.wrapper.errors_occurred = True
            raise OperationalError(TAKES_NO_WRITES) from error
        super().__exit__(kind, error, trace)


def _is_lost(connection: psycopg.Connection[Any]) -> bool:
    poller = poll()
    poller.register(connection.fileno(), POLLIN)
    if not poller.poll(0):
        return False
    # It may be no more than a notice, of a setting that has changed.
    try:
        ConnectionPool.check_connection(connection)
    except psycopg.Error:
        return True
    return False
