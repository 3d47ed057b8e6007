"""Settings stored for the service's role. Postgres lets a role change its own, and they outlive its sessions.

`ALTER ROLE CURRENT_USER SET search_path` or `default_transaction_read_only` would affect every later session. Postgres
can't forbid this, so the service checks for it at start-up and in each readiness check. Functions that run as the owner
have a search path of their own, which a role's settings don't change.
"""

from typing import Any, NamedTuple

import psycopg
from django.conf import settings

# Settings of these categories only cost time and change no result. events/durability.py checks `synchronous_commit`.
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
    """A setting stored for a role, for all databases or for this one."""

    name: str
    value: str
    of_database: bool


def unexpected(connection: psycopg.Connection[Any], role: str | None = None) -> list[Setting]:
    """Return a role's stored settings that aren't in `settings.ROLE_SETTINGS`. The default is the role of the
    connection."""
    rows = connection.execute(_STORED, [role]).fetchall()
    return [it for it in map(Setting._make, rows) if settings.ROLE_SETTINGS.get(it.name) != it.value]


def faults(connection: psycopg.Connection[Any]) -> list[str]:
    """Return a sentence about the role's unexpected settings; an empty list if there are none."""
    names = [f"{it.name} = {it.value}" for it in unexpected(connection)]
    if not names:
        return []
    return [
        f"Settings are stored for the service's role that don't belong there: {', '.join(names)}. Find out who stored "
        "them. Reset them with python -m config.database, or as the database's owner with ALTER ROLE ... RESET."
    ]
