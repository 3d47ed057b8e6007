"""Root of a season's chance: stored sealed like a match's seed, and never published. Each draw publishes one link."""

from uuid import UUID

from events.chain import ChainBroken
from events.pipeline import Statement
from matches.seasons.domain import chance
from matches.seasons.domain.state import Season
from matches.storage import seeds
from matches.storage.repository import BrokenRecord


def new_root() -> bytes:
    """Return 32 random bytes from the operating system."""
    return seeds.new_seed()


def storing(season_id: UUID, root: bytes) -> Statement:
    """Return the statement that stores the sealed root, for the transaction that opens the season."""
    return seeds.storing(season_id, root)


def next_link(season_id: UUID, season: Season) -> str | None:
    """Return the link that the season's next draw publishes, or None if the season has no chance or no draw is left.
    Raise BrokenRecord if the link doesn't match the season's commitment."""
    if season.timing.link is None or season.timing.draws >= chance.LINKS:
        return None
    root = seeds.unsealed(season_id)
    link = chance.link(root, season.timing.draws + 1)
    if not chance.follows(link, season.timing.link):
        raise BrokenRecord(ChainBroken(season_id, 1, "its sealed root is not the one that was promised"))
    return link
