"""The invitations of a match, which are told once: kept in its opener's session until the seats are taken."""

from django.http import HttpRequest

_KEY = "invitations"
_MOST = 20


def keep(request: HttpRequest, code: str, told: dict[int, str]) -> None:
    """Remember a new match's invitations; of the oldest match they are forgotten."""
    kept = dict(request.session.get(_KEY, {}))
    kept[code] = {str(seat): invitation for seat, invitation in told.items()}
    request.session[_KEY] = dict(list(kept.items())[-_MOST:])


def kept(request: HttpRequest, code: str) -> dict[int, str]:
    """The invitations that this browser's session remembers, by seat."""
    told = request.session.get(_KEY, {}).get(code, {})
    return {int(seat): invitation for seat, invitation in told.items()}
