"""The root of a season's chance: sealed as matches' seeds are, told to nobody; only its links are shown, one a draw."""

from uuid import UUID

from events.chain import ChainBroken
from events.pipeline import Statement
from matches.seasons.domain import chance
from matches.seasons.domain.state import Season
from matches.storage import seeds
from matches.storage.repository import BrokenRecord


def new_root() -> bytes:
    """32 bytes from the system's generator."""
    return seeds.new_seed()


def storing(season_id: UUID, root: bytes) -> Statement:
    """The statement that keeps a sealed root, for the transaction that opens the season."""
    return seeds.storing(season_id, root)


def next_link(season_id: UUID, season: Season) -> str | None:
    """The link that the season's next draw shows; None where it has no chance, or no draw is left. Raises BrokenRecord
    where it isn't the one that was promised."""
    if season.timing.link is None or season.timing.draws >= chance.LINKS:
        return None
    root = seeds.unsealed(season_id)
    link = chance.link(root, season.timing.draws + 1)
    if not chance.follows(link, season.timing.link):
        raise BrokenRecord(ChainBroken(season_id, 1, "its sealed root is not the one that was promised"))
    return link
