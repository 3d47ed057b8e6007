"""Claims about a season's match, and its officials' rulings, on the match's page."""

import structlog
from msgspec import Struct

from events import store
from matches.seasons.reads import disputes, selectors
from matches.seasons.reads.documents import RulingDocument
from matches.storage.repository import BrokenRecord
from matches.web.play.viewers import Viewer
from matches.web.seasons.claiming import ShownClaim, in_words

log = structlog.get_logger(__name__)


class Disputed(Struct, frozen=True):
    """The claims and rulings of a match, the newest first, and how many claims wait for an answer."""

    claims: list[ShownClaim]
    rulings: list[RulingDocument]
    waiting: int


def disputed(viewer: Viewer) -> Disputed | None:
    """Return what the viewer may read; None for nothing.

    A delayed viewer reads this once they know the match's end: claims may mention it.
    """
    match, late = viewer.match, viewer.seat is None and viewer.lifecycle.opened.spectator_delay
    if match.season_id is None or (late and not viewer.lifecycle.over):
        return None
    season = selectors.season_for(viewer.account, match.season_id)
    if season is None:
        return None
    try:
        claims, rulings = disputes.of_match(season.id, match.id, store.clock())
    except BrokenRecord as error:
        # The match is intact, whatever is wrong with its season's record.
        log.error("claims_not_told", season=str(season.id), broken=str(error))
        return None
    readable = claims if disputes.may_read(viewer.account, season) else []
    if not readable and not rulings:
        return None
    return Disputed(in_words(readable, {}), rulings[::-1], sum(it.status == "open" for it in readable))
