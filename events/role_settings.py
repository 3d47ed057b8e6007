"""Settings that are stored for the service's role. Postgres lets a role change its own, and they outlive its sessions.

`ALTER ROLE CURRENT_USER SET search_path` or `default_transaction_read_only` would change every later session. Postgres
can't forbid it, so the service looks for it as it starts and whenever it is asked whether it is ready. Functions that
run as the owner have a search path of their own, which no setting of a role changes.
"""

from typing import Any, NamedTuple

import psycopg
from django.conf import settings

# These categories cost time at most, and change no result. events/durability.py checks `synchronous_commit`.
_STORED = """
SELECT s.name, s.value, d.setdatabase <> 0
FROM pg_catalog.pg_db_role_setting d
JOIN pg_catalog.pg_roles r ON r.oid = d.setrole AND r.rolname = coalesce(%s, current_user)
CROSS JOIN LATERAL unnest(d.setconfig) AS entry
CROSS JOIN LATERAL (
    SELECT split_part(entry, '=', 1) AS name, substr(entry, strpos(entry, '=') + 1) AS value
) AS s
LEFT JOIN pg_catalog.pg_settings p ON lower(p.name) = lower(s.name)
WHERE d.setdatabase IN (0, (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()))
    AND s.name <> 'synchronous_commit'
    AND coalesce(p.category, '') !~ '^(Resource Usage|Query Tuning) / '
ORDER BY 1
"""


class Setting(NamedTuple):
    """A setting that is stored for a role, in all databases or in this one."""

    name: str
    value: str
    of_database: bool


def foreign(connection: psycopg.Connection[Any], role: str | None = None) -> list[Setting]:
    """The stored settings of a role, of the connection's own without one, that preparing the database doesn't make."""
    rows = connection.execute(_STORED, [role]).fetchall()
    return [it for it in map(Setting._make, rows) if settings.ROLE_SETTINGS.get(it.name) != it.value]


def faults(connection: psycopg.Connection[Any]) -> list[str]:
    """Return a sentence for each fault of the settings."""
    names = [f"{it.name} = {it.value}" for it in foreign(connection)]
    if not names:
        return []
    return [
        f"Settings are stored for the service's role that don't belong there: {', '.join(names)}. Find out who stored "
        "them; python -m config.database resets them, or its owner does with ALTER ROLE ... RESET."
    ]
