"""The number of Postgres connections that an installation may open, compared with the server's limit."""

import psycopg

from config.deployment.environment import whole

USUAL = 100
"""Postgres' default for max_connections."""
_BESIDE_POOL_PER_PROCESS = 2
"""Per process: the connection for its heartbeat, and one that is being replaced."""
_PER_EVENT_LOOP = 3
"""Per event loop of a web process: one each for its writer, its follower and its reads."""
_OTHER_CONNECTIONS = 20
"""Connections for preparing, `manage.py`, the demo season and a person with psql, and those that Postgres reserves for
its owner."""


def wanted(webs: int) -> int:
    """Return the connections that the web processes, a worker, a beat and other programs may open."""
    return (
        (webs + 2) * (whole("DATABASE_POOL", 8) + _BESIDE_POOL_PER_PROCESS)
        + webs * _PER_EVENT_LOOP
        + _OTHER_CONNECTIONS
    )


def embedded_limit(webs: int) -> int:
    """Return max_connections for the embedded Postgres."""
    return max(USUAL, wanted(webs))


def shortage(url: str, webs: int) -> str | None:
    """Return a sentence if a server allows fewer connections than the installation may open; None if it allows enough
    or can't be reached."""
    try:
        with psycopg.connect(url, connect_timeout=5) as connection:
            row = connection.execute("SHOW max_connections").fetchone()
    except psycopg.Error:
        return None
    if row is None or int(row[0]) >= wanted(webs):
        return None
    return (
        f"takes {row[0]} connections, and this house may want {wanted(webs)}: raise max_connections, "
        "or lower DATABASE_POOL or --webs"
    )
