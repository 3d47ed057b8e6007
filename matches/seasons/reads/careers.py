"""Results of an account in the seasons that a reader may see."""

from uuid import UUID

from msgspec import Struct

from matches.models import Account
from matches.seasons.reads import feed, selectors
from matches.seasons.reads.documents import SeasonDocument, StandingDocument

MOST_SEASONS = 6
"""Most seasons of a career; the newest are shown."""


class Tenure(Struct, frozen=True):
    """A season, and the state of the account's tenure in it."""

    season: SeasonDocument
    standing: StandingDocument


def seasons_of(account_id: UUID, reader: Account) -> list[Tenure]:
    """Return the newest seasons in which the account has played, as the reader may see them."""
    rows = selectors.seasons_for(reader, player=account_id).order_by("-opened_at", "-id")[:MOST_SEASONS]
    roles = selectors.roles_of(reader, rows)
    documents = [feed.season(row, roles.get(row.id)) for row in rows]
    return [
        Tenure(season, standing)
        for season in documents
        for standing in season.standings
        if standing.player.id == account_id
    ]
