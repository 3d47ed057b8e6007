"""Scopes of tokens. A scope narrows what its account may do; it never grants anything."""

from typing import Any, Literal, get_args

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from matches.http.problems import Problem
from matches.models import AccessToken

Scope = Literal["match:read", "match:play", "chat:read", "chat:write", "season:admin"]
SCOPES: tuple[Scope, ...] = get_args(Scope)

ANY = "any"
"""For acts that every token may do."""

_WITHIN = {"chat:read": "chat:write"}
"""Scopes included in another one: who may write remarks may read them."""

_AS = {"HEAD": "GET"}


class HasScope(BasePermission):
    """Checks a token's scope: `scopes = {"GET": "match:read", "POST": "match:play"}` of the view.

    A session cookie has all scopes. A method that a view has but doesn't name is closed to tokens.
    """

    def has_permission(self, request: Request, view: Any) -> bool:
        """Return True, or raise Problem `missing_scope`."""
        if not isinstance(request.auth, AccessToken):
            return True
        method = _AS.get(request.method, request.method)
        # A method that the view doesn't have gets 405, not 403.
        if method == "OPTIONS" or not hasattr(view, method.lower()):
            return True
        refuse_beyond(request.auth, getattr(view, "scopes", {}).get(method, "session"))
        return True


def refuse_beyond(token: AccessToken | None, needed: str) -> None:
    """Raise Problem `missing_scope` if a token lacks a scope; a session has no token and all scopes."""
    if token is not None and needed != ANY and not reaches(token, needed):
        raise Problem(
            "missing_scope",
            f"This token lacks the scope `{needed}`.",
            headers={"WWW-Authenticate": f'Bearer error="insufficient_scope", scope="{needed}"'},
        )


def reaches(token: AccessToken, needed: str) -> bool:
    """True if a token has a scope, or one that includes it."""
    return needed in token.scopes or _WITHIN.get(needed) in token.scopes


def scopes_of(request: Request) -> list[str]:
    """Return the caller's scopes."""
    return sorted(request.auth.scopes if isinstance(request.auth, AccessToken) else SCOPES)
