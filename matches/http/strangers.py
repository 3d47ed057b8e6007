"""Who asks without an account: they read the catalogue, and what is public and over."""

from typing import Any
from uuid import UUID

from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from events import access
from matches.http.problems import Problem


class MayAsk(BasePermission):
    """Whoever is signed in; a view that is `open_to_strangers` answers their reads too, and refuses them by
    `refuse_strangers` what isn't over."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Whether the view takes the request at all."""
        return not is_stranger(request) or (request.method in SAFE_METHODS and is_open(view))


def is_open(view: Any) -> bool:
    """Whether a view's reads are open to those without an account."""
    return getattr(view, "open_to_strangers", False)


def is_stranger(request: Request) -> bool:
    """Whether nobody is signed in."""
    return request.user is None


def note_taken(request: Request, stream: UUID) -> None:
    """Put on record that an account took this record away.

    Of strangers nothing is noted: they get only what is over, of which every door tells them as much without a trace,
    and whoever fetches without a name could bury in the audit those who have one.
    """
    if not is_stranger(request):
        access.note(stream, str(request.user.id), "exported")


def refuse_strangers(request: Request) -> None:
    """Raise Problem `not_authenticated` where nobody is signed in."""
    if is_stranger(request):
        raise Problem(
            "not_authenticated", "Without an account only what is over can be read; sign in, or send a token."
        )
