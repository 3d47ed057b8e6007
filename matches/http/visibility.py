"""Visibility: a match that the caller may not see doesn't exist for them."""

from typing import Any
from uuid import UUID

from django.db.models import Q
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from matches.domain.lifecycle import Lifecycle
from matches.http.problems import Problem
from matches.http.strangers import is_stranger, refuse_strangers
from matches.models import Match
from matches.reads import entitlements, selectors
from matches.reads.permissions import visibility_filter
from matches.storage import repository


class SeesTheMatch(BasePermission):
    """Applies to every view below `matches/<name>`, including future ones."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Return True, or raise Problem `not_found`; the view refuses a name of no match."""
        name = view.kwargs.get("name")
        if name is not None and request.path.startswith("/api/v1/matches/") and "\0" not in name:
            refuse_unseen(name, None if is_stranger(request) else request.user.id)
            if is_stranger(request) and not _is_visibly_over(name):
                refuse_strangers(request)
        return True


def refuse_unseen(name: str, account: UUID | None) -> None:
    """Raise Problem `not_found` if this account may not see the match with this id or code."""
    lifecycle = cached_lifecycle(name)
    if lifecycle is not None and lifecycle.opened.season is None and not lifecycle.opened.spectator_delay:
        return
    if Match.objects.filter(_named(name)).exclude(visibility_filter(account)).exists():
        raise Problem("not_found", "There is no match with this id or code.")


def _is_visibly_over(name: str) -> bool:
    """True if spectators may know that the match is over, or if it doesn't exist, which the view refuses."""
    match = selectors.match_by(name)
    return match is None or entitlements.lifecycle_for(match.id, None).over


def cached_lifecycle(name: str) -> Lifecycle | None:
    """Return the cached lifecycle of the match with this id, possibly outdated. No I/O."""
    try:
        match_state = repository.cached_state(UUID(name))
    except ValueError:
        return None
    return match_state.lifecycle if match_state is not None else None


def _named(name: str) -> Q:
    try:
        return Q(id=UUID(name))
    except ValueError:
        return Q(code=name.upper())
