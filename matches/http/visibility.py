"""A match that the caller may not see doesn't exist, whatever is asked of it."""

from typing import Any
from uuid import UUID

from django.db.models import Q
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from matches.domain.lifecycle import Lifecycle
from matches.http.problems import Problem
from matches.http.strangers import is_stranger, refuse_strangers
from matches.models import Match
from matches.reads import feed, selectors
from matches.reads.permissions import seen_by
from matches.storage import repository


class SeesTheMatch(BasePermission):
    """Holds for every view below `matches/<name>`, those to come included."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """True, or Problem `not_found`; a name that is no match's is for the view to refuse."""
        name = view.kwargs.get("name")
        if name is not None and request.path.startswith("/api/v1/matches/") and "\0" not in name:
            refuse_unseen(name, None if is_stranger(request) else request.user.id)
            if is_stranger(request) and not _is_known_over(name):
                refuse_strangers(request)
        return True


def refuse_unseen(name: str, account: UUID | None) -> None:
    """Raise Problem `not_found` where this account may not see the match with this id or code."""
    story = story_seen(name)
    if story is not None and story.opened.season is None and not story.opened.spectator_delay:
        return
    if Match.objects.filter(_named(name)).exclude(seen_by(account)).exists():
        raise Problem("not_found", "There is no match with this id or code.")


def _is_known_over(name: str) -> bool:
    """Whether spectators may know that the match is over; True where there is none, which is for the view to refuse."""
    match = selectors.match_by(name)
    return match is None or feed.story(match.id, None).over


def story_seen(name: str) -> Lifecycle | None:
    """The story of the match with this id as this process last saw it, perhaps an old one; asks nobody."""
    try:
        match_state = repository.last_seen(UUID(name))
    except ValueError:
        return None
    return match_state.lifecycle if match_state is not None else None


def _named(name: str) -> Q:
    try:
        return Q(id=UUID(name))
    except ValueError:
        return Q(code=name.upper())
