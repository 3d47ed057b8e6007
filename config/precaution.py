"""Before it serves, a process makes sure that its database keeps the promises of the log."""

import sys

import psycopg
from django.conf import settings

from events import selfcheck


def refuse_unsafe_database() -> None:
    """End the process with a sentence where the database is unsafe, or can't be asked."""
    try:
        # A connection of its own: the pool is not for a process that may yet fork, or whose event loop runs already.
        with psycopg.connect(settings.DATABASE_LOGINS.app, connect_timeout=10) as connection:
            selfcheck.refuse_unsafe_database(connection)
    except selfcheck.UnsafeDatabase as unsafe:
        sys.exit(f"Croupier doesn't start on an unsafe database. {unsafe}")
    except psycopg.Error as error:
        sys.exit(f"Croupier doesn't start: the database can't be asked whether it is safe. {error}")
