"""Actual beginnings of a season's matches that were started early: the record has the time that was set, pages and
calendars show the time at which they were played."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import lru_cache
from uuid import UUID

from msgspec.structs import replace

from events import store
from matches.domain.clocks import instant
from matches.models import Match
from matches.reads import selectors
from matches.seasons.reads.documents import SeasonDocument, SeasonMatchDocument
from matches.storage import repository


def early(times: Mapping[UUID, datetime], reader: UUID | None) -> dict[UUID, datetime]:
    """Return when those of the matches began that were to open later, as far as this reader may know."""
    begun = selectors.with_seats(list(times)).exclude(status=Match.Status.WAITING) if times else []
    now, beginnings = store.clock(), {}
    for match in selectors.visible_to(begun, reader):
        opens_at = times[match.id]
        was_early = opens_at > now or (match.finished_at is not None and match.finished_at < opens_at)
        if was_early and match.status != Match.Status.WAITING and (at := _began(match.id)) and at < opens_at:
            beginnings[match.id] = at
    return beginnings


def with_beginnings(document: SeasonDocument, reader: UUID | None) -> SeasonDocument:
    """Return the season with the actual time of each match that has begun early."""
    dated = [it for it in _matches(document) if it.opens_at]
    beginnings = early({it.id: datetime.fromisoformat(str(it.opens_at)) for it in dated}, reader)
    if not beginnings:
        return document

    def dated_all(matches: Iterable[SeasonMatchDocument]) -> list[SeasonMatchDocument]:
        return [_at(it, beginnings[it.id]) if it.id in beginnings else it for it in matches]

    episodes = [replace(it, matches=dated_all(it.matches)) for it in document.episodes]
    return replace(
        document, episodes=episodes, final=replace(document.final, matches=dated_all(document.final.matches))
    )


def _matches(document: SeasonDocument) -> list[SeasonMatchDocument]:
    return [match for it in document.episodes for match in it.matches] + document.final.matches


def _at(match: SeasonMatchDocument, began: datetime) -> SeasonMatchDocument:
    return replace(match, opens_at=instant(began), begins_at=began, setup_closes_at=None)


@lru_cache(maxsize=1024)
def _began(match_id: UUID) -> datetime | None:
    return next((row.at for row in store.read(match_id) if row.type == "match_started"), None)


repository.when_lost.append(_began.cache_clear)
