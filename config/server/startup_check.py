"""Before it serves, a process makes sure that its database is one of its own release, or of an older one, and keeps the
promises of the log."""

import sys

import psycopg
from django.conf import settings

from config.deployment import pooler, releases
from events import selfcheck


def refuse_unsafe_database() -> None:
    """End the process with a sentence where the database is unsafe or a newer release's, can't be asked, or is behind a
    pooler that keeps nothing."""
    try:
        pooler.refuse_unfit_pooler(settings.DATABASE_LOGINS.app)
        # A connection of its own: the pool is not for a process that may yet fork, or whose event loop runs already.
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
