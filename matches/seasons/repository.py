"""Loading of seasons: their log is read, checked and folded."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple
from uuid import UUID

from events import chain, store
from events.records import Recorded
from games.kernel import Event
from matches.seasons import codec
from matches.seasons.domain.events import SeasonOpened
from matches.seasons.domain.evolution import evolve, opening
from matches.seasons.domain.options import SeasonOptions
from matches.seasons.domain.state import Season
from matches.storage.repository import BrokenRecord


class NoSuchSeason(Exception):
    """There is no season with this id."""


class SeasonRevision(NamedTuple):
    """A stored event, and the season after it."""

    row: Recorded
    event: Event
    season: Season


def load(season_id: UUID, *, upto: int | None = None) -> Season:
    """Return the season at version `upto`, by default the newest; raise NoSuchSeason or BrokenRecord."""
    season = None
    for revision in revisions(season_id, upto=upto):
        season = revision.season
    if season is None:
        raise NoSuchSeason(str(season_id))
    return season


@lru_cache(maxsize=512)
def at(season_id: UUID, version: int, head: bytes) -> Season:
    """Return the season at this version. It is cached for `head`, the hash of the log's last event, which another
    history of the season would not have. Raise NoSuchSeason or BrokenRecord."""
    return load(season_id, upto=version)


def heads_of(season_ids: Iterable[UUID]) -> dict[UUID, bytes]:
    """Return the hash of the last event of each season, with one query."""
    return {season_id: head.hash for season_id, head in store.heads(season_ids).items()}


def options_of(season_id: UUID) -> SeasonOptions:
    """Return the options of the season; raise NoSuchSeason or BrokenRecord."""
    return load(season_id).options


def revisions(season_id: UUID, *, upto: int | None = None) -> Iterator[SeasonRevision]:
    """Yield the season after each of its events; raise BrokenRecord."""
    rows = store.read(season_id, upto=upto)
    _refuse_broken(season_id, rows)
    season: Season | None = None
    for row in rows:
        event = codec.unpack(row)
        season = _after(season, event)
        yield SeasonRevision(row, event, season)


def rows_after(season_id: UUID, after: int, upto: int) -> list[Recorded]:
    """Return the season's events after one version and up to another, with their hashes checked but not folded; raise
    BrokenRecord."""
    rows = store.read(season_id, after=max(0, after - 1), upto=upto)
    previous = rows.pop(0).hash if after and rows else chain.GENESIS
    *_, broken = chain.check(season_id, rows, after, previous)
    if broken:
        raise BrokenRecord(broken)
    return rows


def folded(rows: Iterable[Recorded]) -> Season:
    """Return the season after these events, which are the first of its log; raise NoSuchSeason."""
    season: Season | None = None
    for row in rows:
        season = _after(season, codec.unpack(row))
    if season is None:
        raise NoSuchSeason("The stream has no events.")
    return season


def _after(season: Season | None, event: Event) -> Season:
    if season is not None:
        return evolve(season, event)
    if not isinstance(event, SeasonOpened):
        raise NoSuchSeason("The stream is none of a season.")
    return opening(event)


def _refuse_broken(season_id: UUID, rows: Sequence[Recorded]) -> None:
    *_, broken = chain.check(season_id, list(rows), 0, chain.GENESIS)
    if broken:
        raise BrokenRecord(broken)
