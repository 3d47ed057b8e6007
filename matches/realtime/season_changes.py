"""Who follows which season in this process, and whom it is to be told that theirs has moved: by hints, and by a look at
each pulse that makes up for lost ones."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import NamedTuple
from uuid import UUID

from matches.http.database_threads import looking
from matches.models import Account
from matches.realtime.connections import UNSEEN, Connection
from matches.seasons.models import Season
from matches.seasons.reads import selectors

REST_SECONDS = 1.0
"""What happens in a season within so much time is told together."""


class Standing(NamedTuple):
    """The versions of seasons, and who among their followers may not see theirs."""

    versions: Mapping[UUID, int]
    unseen: Collection[tuple[UUID | None, UUID]]


class SeasonChanges:
    """The followers of each season; the version of a connection is the newest that it was told of."""

    def __init__(self) -> None:
        self._followers: dict[UUID, set[Connection]] = defaultdict(set)

    def join(self, connection: Connection, season: UUID) -> None:
        """Tell it of what comes after its version."""
        self._followers[season].add(connection)

    def leave(self, connection: Connection, season: UUID) -> bool:
        """Tell it no more; gives whether nobody follows the season any longer."""
        self._followers[season].discard(connection)
        if self._followers[season]:
            return False
        del self._followers[season]
        return True

    def moved(self, season: UUID, version: int) -> None:
        """A season has moved to a version, as a hint says."""
        for connection in self._followers.get(season, ()):
            if connection.version < version:
                connection.version = version
                connection.wake()

    async def look(self) -> None:
        """Whatever hints were lost; and who may no longer see a season is told nothing more of it."""
        asked = {season: {it.account for it in found} for season, found in self._followers.items()}
        if not asked:
            return
        standing = await looking(_standing)(asked)
        for season, followers in list(self._followers.items()):
            for connection in followers:
                if (connection.account, season) in standing.unseen:
                    connection.end(UNSEEN)
            self.moved(season, standing.versions.get(season, 0))


def _standing(asked: Mapping[UUID, Collection[UUID | None]]) -> Standing:
    versions = dict(Season.objects.filter(id__in=asked).values_list("id", "version"))
    accounts = {who for found in asked.values() for who in found if who}
    people = {it.id: it for it in Account.objects.filter(id__in=accounts)}
    public = set(selectors.seasons_for(None).filter(id__in=asked).values_list("id", flat=True))
    doubtful = {(who, season) for season, found in asked.items() if season not in public for who in found}
    seen = {(who, season) for who, season in doubtful if who in people and selectors.season_for(people[who], season)}
    return Standing(versions, doubtful - seen)
