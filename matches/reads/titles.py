"""The title of a match for people: that of its game, or one of its own where the game's options have it."""

from contextlib import suppress
from functools import lru_cache
from uuid import UUID

from events import store
from events.archived import ArchiveUnavailable
from games import catalogue
from matches.domain.openings import title_in
from matches.models import Match
from matches.storage import codec, repository

_KEPT = 4096


def title_of(match: Match) -> str:
    """Return the title of a match. It is in its opening, so everybody who sees the match may read it. While the archive
    is away, that of its game."""
    game = catalogue[match.game]
    if game.titled:
        with suppress(ArchiveUnavailable):
            return _title_in_log(match.id)
    return game.title


@lru_cache(maxsize=_KEPT)
def _title_in_log(match_id: UUID) -> str:
    """Return the title in the match's opening, which never changes."""
    opening = codec.unpack_opening(store.read_at({match_id: (1,)})[match_id][0])
    return title_in(opening.game, opening.options)


repository.when_lost.append(_title_in_log.cache_clear)
