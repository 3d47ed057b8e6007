"""Streams that are gone with head and events, although other tables, a season's log or the order of all acts name them.

A checkpoint shows a deletion only once it covers the stream. These comparisons also show an earlier one. Archived and
pruned streams are not reported: heads stay, and the archive's places are counted.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from uuid import UUID

import msgspec

from events import distribution, store
from events.chain import ChainBroken
from events.pipeline import array, roundtrip

_BESIDE = {
    "matches_match": "id", "matches_seat": "match_id", "matches_seed": "match_id", "matches_deadline": "match_id",
    "matches_sealedpart": "stream", "events_archived": "stream", "events_access": "stream",
}  # fmt: skip
"""Tables with a row for each stream, in a distributed database on the same node, and the column that
names the stream."""
_ELSEWHERE = {
    "seasons_season": "id", "seasons_member": "season_id", "events_unplaced": "stream", "events_held": "stream",
    "events_place": "stream",
}  # fmt: skip
_NAMED = """
SELECT DISTINCT {column} FROM {table} t WHERE NOT EXISTS (SELECT FROM events_head h WHERE h.stream = t.{column})
"""
_PLACES = """
SELECT base, last, last - base - removed - (SELECT count(*) FROM events_place WHERE position > base) FROM events_placed
"""
# One statement, so that an act that is placed meanwhile is found either waiting or placed.
_MISPLACED = """
SELECT h.stream, lower(h.versions - p.versions), lower(p.versions - h.versions) FROM (
    SELECT stream, int8multirange(int8range(1, version, '[]')) AS versions FROM events_head
    WHERE stream = ANY($1::uuid[])
) AS h LEFT JOIN (
    SELECT stream, range_agg(int8range(first_version, last_version, '[]')) AS versions FROM (
        SELECT stream, first_version, last_version FROM events_place WHERE stream = ANY($1::uuid[]) AND NOT late
        UNION ALL SELECT stream, first_version, last_version FROM events_unplaced WHERE stream = ANY($1::uuid[])
        UNION ALL SELECT stream, first_version, last_version FROM events_archived WHERE stream = ANY($1::uuid[])
    ) AS acts WHERE first_version <= last_version GROUP BY stream
) AS of_acts USING (stream) CROSS JOIN LATERAL (SELECT coalesce(of_acts.versions, '{}') AS versions) AS p
WHERE h.versions <> p.versions ORDER BY h.stream
"""
# The consumer that opens a season's matches (matches/seasons/process_manager.py) removes its marks when done.
_DIRTY = "SELECT EXISTS (SELECT FROM events_dirty WHERE stream = $1 AND projection = 'season_tables')"
_HEADS = "SELECT stream FROM events_head WHERE stream = ANY($1::uuid[])"
_SEASONS = "SELECT id FROM seasons_season WHERE id = ANY($1::uuid[])"
_SCHEDULED = ("main_match_scheduled", "death_match_scheduled", "final_match_scheduled")
_UNOPENED = ("match_annulled", "match_forfeited", "absence_decided")
"""After one of these a match may never have been opened."""


def named_by_tables() -> Iterator[ChainBroken]:
    """Yield the streams that other tables name and that have no head."""
    tables = _BESIDE if distribution.is_distributed() else _BESIDE | _ELSEWHERE
    named: dict[UUID, list[str]] = defaultdict(list)
    for table, column in tables.items():
        (rows,) = roundtrip(store.raw_connection(), [(_NAMED.format(table=table, column=column), ())])
        for (stream,) in rows:
            named[stream].append(table)
    for stream, names in named.items():
        yield ChainBroken(stream, 1, f"missing with its head; named by {', '.join(names)}")


def named_by_seasons(streams: Iterable[UUID]) -> Iterator[ChainBroken]:
    """Yield the scheduled matches without a head, for those of these streams that are seasons."""
    (rows,) = roundtrip(store.raw_connection(), [(_SEASONS, (array(map(str, streams)),))])
    for (season,) in rows:
        yield from _named_by_season(season)


def _named_by_season(season: UUID) -> Iterator[ChainBroken]:
    wanted = _scheduled(season)
    # In this order: a mark is removed only after the match is opened.
    ((waits,),) = roundtrip(store.raw_connection(), [(_DIRTY, (season,))])[0]
    if waits:
        return
    (rows,) = roundtrip(store.raw_connection(), [(_HEADS, (array(map(str, wanted)),))])
    for match in wanted.difference(stream for (stream,) in rows):
        yield ChainBroken(match, 1, f"missing with its head; named by the log of season {season}")


def _scheduled(season: UUID) -> set[UUID]:
    """Return the matches that a season has scheduled; all are opened once the season is not dirty."""
    wanted: set[UUID] = set()
    for rows in store.read_in_pages(season):
        for row in rows:
            if row.type in _SCHEDULED:
                wanted.update(_match_of(row.public))
            elif row.type in _UNOPENED:
                wanted.difference_update(_match_of(row.public))
    return wanted


def _match_of(public: bytes) -> Iterable[UUID]:
    """Return the match that an act names, if any; other checks report other faults of the act."""
    try:
        return [UUID(msgspec.json.decode(public)["match"])]
    except (AttributeError, KeyError, TypeError, ValueError):
        return []


def misplaced(streams: Iterable[UUID]) -> Iterator[ChainBroken]:
    """Report where the order of all acts lacks versions of a stream, or has others: each version has a place, waits for
    one, or is archived. A distributed database can't compare them in one statement."""
    if distribution.is_distributed():
        return
    (rows,) = roundtrip(store.raw_connection(), [(_MISPLACED, (array(map(str, streams)),))])
    for stream, unplaced, missing in rows:
        if unplaced is None:
            yield ChainBroken(stream, missing, "missing; named by the order of all acts")
        else:
            yield ChainBroken(stream, unplaced, "not in the order of all acts: neither placed, waiting nor archived")


def missing_places() -> Iterator[str]:
    """Report a gap in the positions that no archived stream explains. A distributed database doesn't number them."""
    if distribution.is_distributed():
        return
    ((base, last, missing),) = roundtrip(store.raw_connection(), [(_PLACES, ())])[0]
    if missing:
        yield (
            f"events_place has {missing} rows too few after position {base}, up to {last}: acts of a stream were "
            "deleted that the archive doesn't hold"
        )
