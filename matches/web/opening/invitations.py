"""The invitations of a match, which are shown once: kept in its opener's session until the seats are taken."""

from django.http import HttpRequest

_KEY = "invitations"
_MOST = 20


def keep(request: HttpRequest, code: str, secrets: dict[int, str]) -> None:
    """Store a new match's invitations in the session; those of the oldest match are dropped."""
    kept = dict(request.session.get(_KEY, {}))
    kept[code] = {str(seat): invitation for seat, invitation in secrets.items()}
    request.session[_KEY] = dict(list(kept.items())[-_MOST:])


def kept(request: HttpRequest, code: str) -> dict[int, str]:
    """Return the invitations in this browser's session, by seat."""
    secrets = request.session.get(_KEY, {}).get(code, {})
    return {int(seat): invitation for seat, invitation in secrets.items()}
