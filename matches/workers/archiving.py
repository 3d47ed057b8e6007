"""Archiving of finished seasons with all their matches, and of finished or void friendlies.

A stream is due if neither it nor, for a match, its season has changed for the given days. Events that are added later
are archived in further files.

Due streams are selected from the read models. Before events are removed from the log, the log itself is checked.
"""

import time
from collections.abc import Iterator
from typing import NamedTuple
from uuid import UUID

import structlog
from django.conf import settings

from events import archiving, store
from events.archived import ArchiveUnavailable
from events.archiving import Read
from events.pipeline import roundtrip
from events.records import Recorded
from games import catalogue
from games.kernel import HOST
from games.kernel.messages import type_name
from matches.domain import lifecycle
from matches.seasons import repository as seasons
from matches.seasons.domain.events import SeasonOpened
from matches.seasons.repository import NoSuchSeason
from matches.storage import codec
from matches.storage.repository import UNREADABLE

log = structlog.get_logger(__name__)

_PAGE = 500
_SECONDS = 240.0
"""A run of the task ends after this time; the next run continues."""
_OLD = "< clock_timestamp() - $1 * interval '1 day'"
# Archived streams are excluded in both parts, because a distributed database can't run the condition on the union.
_DUE = f"""
SELECT it.id, it.version FROM (
    SELECT m.id, m.version FROM matches_match m LEFT JOIN seasons_season s ON s.id = m.season_id
    WHERE m.status IN ('finished', 'void') AND m.changed_at {_OLD}
        AND (m.season_id IS NULL OR (s.status = 'finished' AND s.changed_at {_OLD}))
        AND NOT EXISTS (SELECT FROM events_archived a WHERE a.stream = m.id AND a.last_version >= m.version)
    UNION ALL
    SELECT id, version FROM seasons_season WHERE status = 'finished' AND changed_at {_OLD} AND id NOT IN (
        SELECT a.stream FROM events_archived a JOIN seasons_season s ON s.id = a.stream AND a.last_version >= s.version
    )
) it
WHERE it.id > $2 ORDER BY it.id LIMIT $3
"""  # noqa: S608  (constants only)
_SEASON = type_name(SeasonOpened)


class Due(NamedTuple):
    """A stream that is over, and its newest version."""

    stream: UUID
    version: int


class Tally(NamedTuple):
    """The archived streams, events and bytes of files, and the number of streams that couldn't be archived."""

    streams: int = 0
    events: int = 0
    bytes: int = 0
    failed: int = 0


def due(days: float) -> Iterator[Due]:
    """Yield the streams that have been over for this many days and aren't archived up to their newest version."""
    after = UUID(int=0)
    while rows := roundtrip(store.raw_connection(), [(_DUE, (days, after, _PAGE))])[0]:
        yield from map(Due._make, rows)
        after = rows[-1][0]


def archive_old() -> Tally:
    """Archive streams that are due by `settings.ARCHIVE_DAYS`, for at most `_SECONDS`, and log how many."""
    if not settings.ARCHIVE_DAYS:
        return Tally()
    until, tally = time.monotonic() + _SECONDS, Tally()
    for it in due(settings.ARCHIVE_DAYS):
        try:
            tally = archive_stream(it.stream, tally)
        except ArchiveUnavailable as error:
            log.error("archive_unavailable", reason=str(error))
            break
        if time.monotonic() > until:
            break
    if tally.streams or tally.failed:
        log.info("archived", **tally._asdict())
    return tally


def archive_stream(stream: UUID, tally: Tally) -> Tally:
    """Archive one stream and return the tally with it; one with a broken record is only counted and logged. Raise
    ArchiveUnavailable."""
    try:
        files = archiving.archive(stream)
    except archiving.Broken as broken:
        log.error("not_archived", stream=str(stream), reason=str(broken))
        return tally._replace(failed=tally.failed + 1)
    return tally._replace(
        streams=tally.streams + 1,
        events=tally.events + sum(it.last - it.first + 1 for it in files),
        bytes=tally.bytes + sum(it.bytes for it in files),
    )


def is_over(stream: UUID, read: Read) -> bool:
    """True if a stream is over by its own events: a season with a champion, or a finished or void match that belongs to
    no running season.

    False, and logged, for a stream that the rules can't read.
    """
    try:
        rows = read(stream)
        return _season_is_over(rows) if rows[0].type == _SEASON else _match_is_over(rows, read)
    except (*UNREADABLE, NoSuchSeason) as error:
        log.error("not_known_to_be_over", stream=str(stream), reason=type(error).__name__)
        return False


def _season_is_over(rows: list[Recorded]) -> bool:
    return seasons.folded(rows).status == "finished"


def _match_is_over(rows: list[Recorded], read: Read) -> bool:
    opened = codec.unpack_opening(rows[0])
    current, game = lifecycle.opening(opened), catalogue[opened.game]
    for row in rows[1:]:
        if row.type in codec.LIFECYCLE:
            current = lifecycle.evolve(current, codec.unpack(game, row, HOST))
    return current.over and (opened.season is None or _season_is_over(read(UUID(opened.season))))
