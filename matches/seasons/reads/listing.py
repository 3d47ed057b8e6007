"""Entries of lists of seasons: the season, the reader's role in it, and its headline."""

from collections.abc import Sequence
from contextlib import suppress
from uuid import UUID

from matches.models import Account
from matches.seasons import repository
from matches.seasons.models import Season
from matches.seasons.reads import selectors
from matches.seasons.reads.documents import SeasonCard
from matches.seasons.reads.event_documents import calling, display_names, names_of
from matches.seasons.reads.headline import headline
from matches.seasons.repository import NoSuchSeason
from matches.storage.repository import BrokenRecord


def cards(seasons: Sequence[Season], reader: Account | None) -> list[SeasonCard]:
    """Return the seasons' cards for this reader, who may be signed out, in the same order."""
    roles = selectors.roles_of(reader, seasons) if reader else {}
    headlines = _headlines(seasons)
    return [
        SeasonCard(
            id=season.id,
            title=season.title,
            status=season.status,
            version=season.version,
            public=season.public,
            role=roles.get(season.id),
            headline=headlines.get(season.id, ""),
            opened_at=season.opened_at,
            changed_at=season.changed_at,
        )
        for season in seasons
    ]


def _headlines(seasons: Sequence[Season]) -> dict[UUID, str]:
    """Return each season's headline, without those whose record is broken."""
    standing, heads = {}, repository.heads_of(season.id for season in seasons)
    for season in seasons:
        with suppress(BrokenRecord, NoSuchSeason):
            standing[season.id] = repository.at(season.id, season.version, heads.get(season.id, b""))
    names = names_of({player for state in standing.values() for player in state.players})
    return {it: headline(state, calling(names | display_names(state))) for it, state in standing.items()}
