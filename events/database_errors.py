"""Whether an error means that the database is away, or that somebody holds one row of it for too long."""

import psycopg
from django.db import InterfaceError, OperationalError

ERRORS = (OperationalError, InterfaceError, psycopg.OperationalError, psycopg.InterfaceError)
"""What may mean either, by Django's names and by psycopg's."""
HELD = (psycopg.errors.LockNotAvailable, psycopg.errors.QueryCanceled)
"""What a statement raises that has waited for a lock too long."""


def is_away(error: BaseException) -> bool:
    """Whether the database can't be reached now; a statement that waited for a lock too long doesn't mean that."""
    return isinstance(error, ERRORS) and not isinstance(error, HELD) and not isinstance(error.__cause__, HELD)
