"""Anonymous callers: they read the catalogue, and what is public and over."""

from typing import Any
from uuid import UUID

from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from events import access
from matches.http.problems import Problem


class MayAsk(BasePermission):
    """Admits signed-in callers; a view that is `open_to_strangers` also admits anonymous reads, and refuses by
    `refuse_strangers` those of what isn't over."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """True if the view accepts the request at all."""
        return not is_stranger(request) or (request.method in SAFE_METHODS and is_open(view))


def is_open(view: Any) -> bool:
    """True if anonymous callers may read the view."""
    return getattr(view, "open_to_strangers", False)


def is_stranger(request: Request) -> bool:
    return request.user is None


def note_taken(request: Request, stream: UUID) -> None:
    """Record that an account took this record.

    Anonymous callers are not noted: they get only finished matches, which every page shows them without a trace, and
    anonymous downloads could hide those of accounts in the audit.
    """
    if not is_stranger(request):
        access.note(stream, str(request.user.id), "exported")


def refuse_strangers(request: Request) -> None:
    """Raise Problem `not_authenticated` for an anonymous caller."""
    if is_stranger(request):
        raise Problem(
            "not_authenticated", "Without an account only what is over can be read; sign in, or send a token."
        )
