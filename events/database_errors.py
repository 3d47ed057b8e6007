"""Whether an error means that the database is away, or that somebody holds one row of it for too long."""

import psycopg
from django.db import InterfaceError, OperationalError

ERRORS = (OperationalError, InterfaceError, psycopg.OperationalError, psycopg.InterfaceError)
"""What may mean either, by Django's names and by psycopg's."""
HELD = (psycopg.errors.LockNotAvailable, psycopg.errors.QueryCanceled)
"""What a statement of the store raises that has waited too long."""


def is_away(error: BaseException) -> bool:
    """Whether nothing can be asked of the database now; one statement that waited too long is no sign of it."""
    return isinstance(error, ERRORS) and not isinstance(error, HELD) and not isinstance(error.__cause__, HELD)
