"""The durability of an acknowledged append, set by CROUPIER_DURABILITY.

With `local` it survives a crash of the database server. With `standby` it also survives the loss of that server and its
disk, because a synchronous standby has stored it too.
"""

from typing import Any

import psycopg
from django.conf import settings

_SETTINGS = "SELECT current_setting('synchronous_commit'), current_setting('synchronous_standby_names')"
_STANDBYS = "SELECT events_standbys()"
_FLUSHED_ON_A_STANDBY = ("on", "remote_apply")


def faults(connection: psycopg.Connection[Any]) -> list[str]:
    """Return sentences that say why acknowledged events could be lost; empty if the setting's promise holds."""
    (commit, names), *_ = connection.execute(_SETTINGS).fetchall()
    if settings.DURABILITY == "local":
        return ["The database may lose acknowledged events: synchronous_commit is off."] if commit == "off" else []
    promise = "CROUPIER_DURABILITY is standby"
    if commit not in _FLUSHED_ON_A_STANDBY:
        return [f"{promise}, and synchronous_commit is {commit}: set it to on, for the server and for the role."]
    if not names.strip():
        return [f"{promise}, and synchronous_standby_names is empty: set it, for example to 'ANY 1 (s1, s2)'."]
    ((standbys,),) = connection.execute(_STANDBYS).fetchall()
    if standbys is None:
        return [f"{promise}, and the database's owner isn't shown its standbys: GRANT pg_monitor to that role."]
    if standbys == 0:
        return [f"{promise}, and no synchronous standby of {names!r} is connected: no commit gets through."]
    return []
