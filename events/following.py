"""New events of many streams, read by the event loop in one statement."""

from collections.abc import Mapping
from itertools import groupby
from operator import itemgetter
from uuid import UUID

from events.arrays import INTEGERS, UUIDS
from events.loop_connection import LoopConnection
from events.pipeline import BinaryStatement
from events.records import Recorded

MOST = 2000
"""The most events that one call reads. Beyond it, events at the end of the last streams are missing."""
_NEW = BinaryStatement(
    f"""
SELECT e.stream, e.version, e.type, e.schema, e.public, e.secret, e.audience, e.salt, e.actor, e.at, e.hash
FROM unnest($1, $2) AS c (stream, after) JOIN events_event e ON e.stream = c.stream AND e.version > c.after
ORDER BY e.stream, e.version LIMIT {MOST}
""",  # noqa: S608  made of a number of this module
    (UUIDS.oid, INTEGERS.oid),
)


async def read_after(connection: LoopConnection, versions: Mapping[UUID, int]) -> dict[UUID, list[Recorded]]:
    """Return the events of each stream after its version, ascending; streams without new events are omitted. Raise
    psycopg.Error."""
    rows = await connection.run(_NEW, [UUIDS.write(list(versions)), INTEGERS.write(list(versions.values()))])
    return {stream: [Recorded._make(row[1:]) for row in group] for stream, group in groupby(rows, itemgetter(0))}
