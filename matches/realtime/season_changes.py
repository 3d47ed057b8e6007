"""Followers of seasons in this process, notified by hints that their season has changed. A query at each pulse makes up
for lost hints."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import NamedTuple
from uuid import UUID

from matches.http.database_threads import reading
from matches.models import Account
from matches.realtime.connections import UNSEEN, Connection
from matches.seasons.models import Season
from matches.seasons.reads import selectors

REST_SECONDS = 1.0
"""Changes of a season within this time are sent as one."""


class Standing(NamedTuple):
    """The versions of seasons, and the followers who may not see theirs."""

    versions: Mapping[UUID, int]
    unseen: Collection[tuple[UUID | None, UUID]]


class SeasonChanges:
    """The followers of each season; a connection's version is the newest that it was notified of."""

    def __init__(self) -> None:
        self._followers: dict[UUID, set[Connection]] = defaultdict(set)

    def join(self, connection: Connection, season: UUID) -> None:
        """Notify the connection of changes after its version."""
        self._followers[season].add(connection)

    def remove(self, connection: Connection, season: UUID) -> bool:
        """Stop notifying the connection; True if the season has no other followers."""
        self._followers[season].discard(connection)
        if self._followers[season]:
            return False
        del self._followers[season]
        return True

    def moved(self, season: UUID, version: int) -> None:
        """Notify the followers that a season has reached this version."""
        for connection in self._followers.get(season, ()):
            if connection.version < version:
                connection.version = version
                connection.wake()

    async def refresh(self) -> None:
        """Query the seasons' versions to make up for lost hints, and close connections whose account may no longer see
        its season."""
        accounts_by_season = {
            season: {it.account for it in connections} for season, connections in self._followers.items()
        }
        if not accounts_by_season:
            return
        standing = await reading(_standing)(accounts_by_season)
        for season, followers in list(self._followers.items()):
            for connection in followers:
                if (connection.account, season) in standing.unseen:
                    connection.end(UNSEEN)
            self.moved(season, standing.versions.get(season, 0))


def _standing(accounts_by_season: Mapping[UUID, Collection[UUID | None]]) -> Standing:
    versions = dict(Season.objects.filter(id__in=accounts_by_season).values_list("id", "version"))
    accounts = {who for followers in accounts_by_season.values() for who in followers if who}
    people = {it.id: it for it in Account.objects.filter(id__in=accounts)}
    public = set(selectors.seasons_for(None).filter(id__in=accounts_by_season).values_list("id", flat=True))
    unchecked = {
        (who, season) for season, followers in accounts_by_season.items() if season not in public for who in followers
    }
    visible = {
        (who, season) for who, season in unchecked if who in people and selectors.season_for(people[who], season)
    }
    return Standing(versions, unchecked - visible)
