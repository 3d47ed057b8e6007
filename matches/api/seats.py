"""Which seat a caller plays, told from what this process has seen of the match: a move asks the database for nothing
but its door. What is seen may be old; the door has the last word."""

from typing import NamedTuple
from uuid import UUID

from rest_framework.request import Request

from matches.api.match_views import match_as_it_stands, seat_held
from matches.api.visibility import story_seen


class Place(NamedTuple):
    """A seat at a match."""

    match_id: UUID
    game: str
    seat: int


def place_of(request: Request, name: str) -> Place:
    """The caller's place at the match with this id or code; raises Problem where they hold none."""
    story = story_seen(name)
    seat = story.seat_of(str(request.user.id)) if story else None
    if story is not None and seat is not None:
        return Place(UUID(name), story.opened.game, seat)
    # Only what has been asked for just now may turn somebody away.
    match = match_as_it_stands(name)
    return Place(match.id, match.game, seat_held(request, match))
