"""What is new in many streams, read by the event loop in one statement."""

from collections.abc import Mapping
from itertools import groupby
from operator import itemgetter
from uuid import UUID

from events.arrays import INTEGERS, UUIDS
from events.loop_connection import LoopConnection, LoopStatement
from events.records import Recorded

MOST = 2000
"""How many events are read at most; what is missing is at the end of the last streams."""
_NEW = LoopStatement(
    f"""
SELECT e.stream, e.version, e.type, e.schema, e.public, e.secret, e.audience, e.salt, e.actor, e.at, e.hash
FROM unnest($1, $2) AS c (stream, after) JOIN events_event e ON e.stream = c.stream AND e.version > c.after
ORDER BY e.stream, e.version LIMIT {MOST}
""",  # noqa: S608  made of a number of this module
    (UUIDS.oid, INTEGERS.oid),
)


async def read_after(line: LoopConnection, versions: Mapping[UUID, int]) -> dict[UUID, list[Recorded]]:
    """The events of each stream after a version, ascending; streams without any are left out. Raises psycopg.Error."""
    rows = await line.run(_NEW, [UUIDS.write(list(versions)), INTEGERS.write(list(versions.values()))])
    return {stream: [Recorded._make(row[1:]) for row in its] for stream, its in groupby(rows, itemgetter(0))}
