"""Outages of single nodes of a distributed database: the matches stored there get the time back, others continue.

The query for flags asks each shard. A shard that doesn't answer is recorded as away until it answers again, and
`matches.storage.outages` includes that time in a match's credit. A database of one server has no rows here.
"""

import json
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from events.pipeline import array, roundtrip
from events.store import raw_connection

_BACKDATED_SECONDS = 1.0
"""An outage is recorded from this long before the failed query, because it began earlier."""
# Use the coordinator's clock, not the node's.
_FLAGS = """
SELECT shardid, success, result FROM run_command_on_shards('matches_deadline', format(
    'SELECT coalesce(json_agg(json_build_array(match_id, extract(epoch FROM falls_at - %1$L::timestamptz))), ''[]'')'
    ' FROM (SELECT match_id, falls_at FROM %%s WHERE falls_at < %2$L::timestamptz ORDER BY falls_at LIMIT %3$s) soon',
    now(), now() + make_interval(secs => $1), $2::integer
))
"""
_OPEN = "SELECT shard FROM matches_nodeoutage WHERE ended_at IS NULL"
_BEGIN = """
INSERT INTO matches_nodeoutage (shard, began_at)
SELECT unnest($1::bigint[]), clock_timestamp() - make_interval(secs => $2)
ON CONFLICT (shard) WHERE ended_at IS NULL DO NOTHING
"""
_END = "UPDATE matches_nodeoutage SET ended_at = clock_timestamp() WHERE shard = ANY($1::bigint[]) AND ended_at IS NULL"


def flags_to_fall(within_seconds: float, most: int) -> list[tuple[UUID, float]]:
    """Return the matches whose next flag falls within so many seconds, with the seconds left, earliest first, from all
    nodes that answer. Record the outages of shards that don't answer, and the end of an outage."""
    shard_rows, open_outages = roundtrip(raw_connection(), [(_FLAGS, (within_seconds, most)), (_OPEN, ())])
    _record_outages([row for row in shard_rows if not row[1]], {shard for (shard,) in open_outages}, shard_rows)
    flags = [
        (UUID(match_id), float(seconds_left))
        for _, success, result in shard_rows
        if success
        for match_id, seconds_left in _rows_of(result)
    ]
    return sorted(flags, key=lambda flag: flag[1])[:most]


def _rows_of(result: str) -> list[Sequence[Any]]:
    rows: list[Sequence[Any]] = json.loads(result)
    return rows


def _record_outages(failed: list[tuple[Any, ...]], open_outages: set[int], shard_rows: list[tuple[Any, ...]]) -> None:
    if new_shards := {shard for shard, *_ in failed} - open_outages:
        roundtrip(raw_connection(), [(_BEGIN, (array(sorted(new_shards)), _BACKDATED_SECONDS))])
    if answering := {shard for shard, success, _ in shard_rows if success} & open_outages:
        roundtrip(raw_connection(), [(_END, (array(sorted(answering)),))])
