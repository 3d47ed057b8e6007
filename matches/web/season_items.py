"""Seasons as they stand in a list: the season, the reader's part in it, and where it stands."""

from collections.abc import Sequence

from msgspec import Struct

from matches.models import Account
from matches.seasons import feed, selectors
from matches.seasons.documents import SeasonCard
from matches.seasons.models import Season


class Item(Struct, frozen=True):
    """A season in a list; its headline is empty where its record is broken."""

    card: SeasonCard
    headline: str


def items(seasons: Sequence[Season], reader: Account | None) -> list[Item]:
    """The seasons in their order, as this reader, or a passer-by, is told of them."""
    roles = selectors.roles_of(reader, seasons) if reader else {}
    headlines = feed.headlines(seasons)
    return [Item(selectors.card(season, roles), headlines.get(season.id, "")) for season in seasons]
