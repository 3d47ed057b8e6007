"""Outages of single nodes of a distributed database: the matches that lie there get the time back, the others go on.

Who looks for flags asks each shard by itself. One that doesn't answer is noted as away from then on, and until it
answers again; `matches.storage.outages` counts that among what a match is owed. In a database of one server there is
none of this.
"""

import json
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from events.pipeline import array, roundtrip
from events.store import raw_connection

_BEFORE_SECONDS = 1.0
"""A node was away before anybody met it."""
# Against the coordinator's clock: a node isn't asked for its own.
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
    """The matches whose next flag falls within so many seconds, first ones first, of all nodes that answer."""
    told, away = roundtrip(raw_connection(), [(_FLAGS, (within_seconds, most)), (_OPEN, ())])
    _note([row for row in told if not row[1]], {shard for (shard,) in away}, told)
    found = [
        (UUID(match_id), float(left)) for _, success, result in told if success for match_id, left in _read(result)
    ]
    return sorted(found, key=lambda flag: flag[1])[:most]


def _read(result: str) -> list[Sequence[Any]]:
    rows: list[Sequence[Any]] = json.loads(result)
    return rows


def _note(silent: list[tuple[Any, ...]], away: set[int], told: list[tuple[Any, ...]]) -> None:
    if new := {shard for shard, *_ in silent} - away:
        roundtrip(raw_connection(), [(_BEGIN, (array(sorted(new)), _BEFORE_SECONDS))])
    if back := {shard for shard, success, _ in told if success} & away:
        roundtrip(raw_connection(), [(_END, (array(sorted(back)),))])
