"""Reads of matches for the event loop: what many requests need from the database, in one statement."""

import asyncio
from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple
from uuid import UUID

import structlog

from events.arrays import INTEGERS, UUIDS
from events.log_throttle import LogThrottle
from events.loop_connection import LoopConnection
from events.pipeline import BinaryStatement
from events.records import Point, Recorded
from events.store import LAST_VERSION
from matches.storage.batch import IS_SIGNED_IN, SEES_SEASON

log = structlog.get_logger(__name__)

MOST_EVENTS = 500
"""Limit of events per range. A range with more is empty in the result: whoever is so far behind must load the match."""
_MOST = 50
_COLUMNS = (INTEGERS, UUIDS, INTEGERS, INTEGERS, UUIDS, UUIDS, UUIDS)
_STATEMENT = BinaryStatement(
    f"""
SELECT c.n, h.version, h.hash,
    e.version, e.type, e.schema, e.public, e.secret, e.audience, e.salt, e.actor, e.at, e.hash
FROM unnest($1, $2, $3, $4, $5, $6, $7) AS c (n, match, after, upto, account, token, season)
JOIN matches_account a ON a.id = c.account AND a.is_active
JOIN events_head h ON h.stream = c.match
JOIN matches_match m ON m.id = c.match
LEFT JOIN LATERAL (
    SELECT * FROM events_event e
    WHERE e.stream = c.match AND e.version > c.after AND e.version <= c.upto
        AND least(c.upto, h.version) - c.after <= {MOST_EVENTS}
    ORDER BY e.version LIMIT {MOST_EVENTS}
) e ON true
WHERE {IS_SIGNED_IN} AND {SEES_SEASON} AND NOT EXISTS (
    SELECT FROM matches_deadline d WHERE d.match_id = c.match AND d.falls_at < clock_timestamp()
)
ORDER BY c.n, e.version
""",  # noqa: S608  composed of constants of these modules
    tuple(column.oid for column in _COLUMNS),
)
_throttle = LogThrottle(seconds=60)


class Range(NamedTuple):
    """The events after a version, and not after another."""

    after: int
    upto: int = LAST_VERSION


class RangeQuery(NamedTuple):
    """A read of ranges of a match's events by an account with a token; the ranges ascend and don't overlap. `season` is
    that of the match, if any."""

    match_id: UUID
    ranges: Sequence[Range]
    account: UUID
    token: UUID
    season: UUID | None


class EventRanges(NamedTuple):
    """The result of a query: the end of the match's log, and its events of the requested ranges, ascending."""

    head: Point
    rows: list[Recorded]


class RangeReader:
    """Batches queries: those that arrive while a statement runs go into the next one."""

    def __init__(self) -> None:
        self._line = LoopConnection()
        self._waiting: list[tuple[RangeQuery, asyncio.Future[EventRanges | None]]] = []
        self._task: asyncio.Task[None] | None = None

    async def read(self, query: RangeQuery) -> EventRanges | None:
        """Return the result; None if the token is invalid, the account may not see the match, a flag of the match is
        about to fall, or the database doesn't answer."""
        result: asyncio.Future[EventRanges | None] = asyncio.get_running_loop().create_future()
        self._waiting.append((query, result))
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="range reads")
        return await result

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._line.close()

    async def _run(self) -> None:
        """Run statements until no query waits."""
        try:
            while self._waiting:
                batch, self._waiting = self._waiting[:_MOST], self._waiting[_MOST:]
                results: dict[int, EventRanges] = {}
                try:
                    results = await self._read_batch([query for query, _ in batch])
                except Exception as error:  # later queries still run
                    if _throttle.is_due():
                        log.warning("not_looked", error=type(error).__name__)
                finally:
                    for number, (_, result) in enumerate(batch):
                        # The request may have been cancelled.
                        if not result.done():
                            result.set_result(results.get(number))
        finally:
            self._task = None

    async def _read_batch(self, queries: list[RangeQuery]) -> dict[int, EventRanges]:
        parameters = [
            (number, it.match_id, *events, it.account, it.token, it.season)
            for number, it in enumerate(queries)
            for events in it.ranges
        ]
        values = [column.write(its) for column, its in zip(_COLUMNS, zip(*parameters, strict=True), strict=True)]
        results = {}
        for number, group in groupby(await self._line.run(_STATEMENT, values), itemgetter(0)):
            rows = list(group)
            events = [Recorded._make(row[3:]) for row in rows if row[3] is not None]
            results[number] = EventRanges(Point(rows[0][1], rows[0][2]), events)
        return results


_readers: dict[asyncio.AbstractEventLoop, RangeReader] = {}


def of_this_loop() -> RangeReader:
    """Return the RangeReader of the running event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _readers:
        _readers[loop] = RangeReader()
    return _readers[loop]
