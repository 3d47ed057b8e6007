"""Seasons as tiles: the state of each, the portraits of its players, and when its next match opens."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from uuid import UUID

from msgspec import Struct

from matches.models import Account
from matches.reads.documents.match import PlayerDocument
from matches.seasons import repository as season_repository
from matches.seasons.domain.state import Season as State
from matches.seasons.models import Season
from matches.seasons.reads import listing
from matches.seasons.reads.documents import SeasonCard
from matches.seasons.reads.event_documents import players_of
from matches.seasons.repository import NoSuchSeason
from matches.storage.repository import BrokenRecord

_FACES = 7


class SeasonTile(Struct, frozen=True):
    """A season: `faces` are some of its living players (of a finished one those who came farthest), `more` counts the
    others. `opens_at` is the next date, the reader's own if they play; `garnets` are the reader's, None for a reader
    who doesn't play."""

    card: SeasonCard
    faces: list[PlayerDocument]
    more: int
    opens_at: datetime | None
    plays: bool
    garnets: int | None


def season_tiles(seasons: Sequence[Season], reader: Account | None, faces_each: int = _FACES) -> list[SeasonTile]:
    """Return the seasons in their order, each with so many faces at most; one whose record is broken has
    only its card."""
    states = _states(seasons)
    shown = {season_id: _cast(state)[:faces_each] for season_id, state in states.items()}
    faces = players_of({player for players in shown.values() for player in players})
    me = str(reader.id) if reader else ""
    return [
        _tile(card, states.get(card.id), [faces[it] for it in shown.get(card.id, ()) if it in faces], me)
        for card in listing.cards(seasons, reader)
    ]


def _tile(card: SeasonCard, state: State | None, faces: list[PlayerDocument], me: str) -> SeasonTile:
    if state is None:
        return SeasonTile(card, [], 0, None, plays=False, garnets=None)
    mine = state.players.get(me)
    opens_at, plays = _next_date(state, me)
    return SeasonTile(
        card,
        faces,
        len(_cast(state)) - len(faces),
        opens_at,
        plays,
        mine.garnets if mine and mine.living else None,
    )


def _cast(state: State) -> list[str]:
    """Return the living players; after the end all who have a place, the champion first."""
    if not state.champion:
        return state.living
    placed = [it for it in state.players.values() if it.place]
    return [it.id for it in sorted(placed, key=lambda it: it.place or 0)]


def _next_date(state: State, me: str) -> tuple[datetime | None, bool]:
    """Return when the next match opens, and True if the reader plays it; their own matches go before others'."""
    dated = [it for it in state.matches.values() if it.status == "scheduled" and it.opens_at]
    first = min(dated, key=lambda it: (me not in it.players, it.opens_at), default=None)
    return (datetime.fromisoformat(first.opens_at), me in first.players) if first and first.opens_at else (None, False)


def _states(seasons: Sequence[Season]) -> dict[UUID, State]:
    states, heads = {}, season_repository.heads_of(season.id for season in seasons)
    for season in seasons:
        with suppress(BrokenRecord, NoSuchSeason):
            states[season.id] = season_repository.at(season.id, season.version, heads.get(season.id, b""))
    return states
