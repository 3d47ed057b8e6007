"""The check before a process serves: its database must be of its own or an older release, and must protect the log."""

import sys

import psycopg
from django.conf import settings

from config.deployment import pooler, releases
from events import selfcheck


def refuse_unsafe_database() -> None:
    """End the process with a message if the database is unsafe, of a newer release or unreachable, or behind a pooler
    that doesn't keep prepared statements."""
    try:
        pooler.refuse_unfit_pooler(settings.DATABASE_LOGINS.app)
        # It uses a connection of its own: the pool must not be opened before a fork, or on a running event loop.
        with psycopg.connect(settings.DATABASE_LOGINS.app, connect_timeout=10) as connection:
            selfcheck.refuse_foreign_settings(connection)
            releases.refuse_newer_database(connection)
            selfcheck.refuse_unsafe_database(connection)
    except releases.NewerDatabase as newer:
        sys.exit(f"Croupier doesn't start on a newer database. {newer}")
    except selfcheck.UnsafeDatabase as unsafe:
        sys.exit(f"Croupier doesn't start on an unsafe database. {unsafe}")
    except pooler.UnfitPooler as unfit:
        sys.exit(f"Croupier doesn't start. {unfit}")
    except psycopg.Error as error:
        sys.exit(f"Croupier doesn't start: the database can't be asked whether it is safe. {error}")
