"""Classification of database errors: the database is unreachable, or a row stayed locked for too long."""

import psycopg
from django.db import InterfaceError, OperationalError

ERRORS = (OperationalError, InterfaceError, psycopg.OperationalError, psycopg.InterfaceError)
"""Errors that may mean either, from Django and from psycopg."""
HELD = (psycopg.errors.LockNotAvailable, psycopg.errors.QueryCanceled)
"""Errors of a statement that waited too long for a lock."""


def is_away(error: BaseException) -> bool:
    """True if the error means that the database is unreachable; a lock timeout doesn't."""
    return isinstance(error, ERRORS) and not isinstance(error, HELD) and not isinstance(error.__cause__, HELD)
