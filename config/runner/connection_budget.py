"""How many connections to Postgres a house may open, and whether its server has room for them."""

import psycopg

from config.deployment.environment import whole

USUAL = 100
"""What a Postgres takes unless it is told otherwise."""
_BESIDE_POOL = 2
"""Of each process: the connection it beats on, and one that is being replaced."""
_OF_A_LOOP = 3
"""Of a web process's event loop: its writer's, its follower's, and that of its reads."""
_OTHERS = 20
"""For preparing, `manage.py`, the demo season and a person with psql, and those that Postgres keeps for its owner."""


def wanted(webs: int) -> int:
    """The connections of so many web processes, a worker, a beat, and whoever comes beside them."""
    return (webs + 2) * (whole("DATABASE_POOL", 8) + _BESIDE_POOL) + webs * _OF_A_LOOP + _OTHERS


def embedded_limit(webs: int) -> int:
    """What the house's own Postgres is to take."""
    return max(USUAL, wanted(webs))


def shortage(url: str, webs: int) -> str | None:
    """A sentence where a server takes fewer than the house may want; None where it has room or can't be asked."""
    try:
        with psycopg.connect(url, connect_timeout=5) as connection:
            found = connection.execute("SHOW max_connections").fetchone()
    except psycopg.Error:
        return None
    if found is None or int(found[0]) >= wanted(webs):
        return None
    return (
        f"takes {found[0]} connections, and this house may want {wanted(webs)}: raise max_connections, "
        "or lower DATABASE_POOL or --webs"
    )
