"""Routes whose path holds a secret, and functions that hide it in a text.

The parameters with the converter `secret` are secrets: whoever has the path may do what it allows. The URLconfs use
these routes, and logs, error reports and referrers hide their secrets. No query parameter is a secret, but `next` may
hold a whole path.
"""

import re
from collections.abc import Iterable
from urllib.parse import quote, unquote

VERIFY_EMAIL = "account/email/<secret:token>"
UNSUBSCRIBE = "unsubscribe/<secret:token>"
NEW_PASSWORD = "new-password/<secret:token>"  # noqa: S105  a route
PANEL_NEW_PASSWORD = "password/<uidb64>/<secret:token>/"  # noqa: S105
CALENDAR = "calendars/<secret:secret>.ics"
INVITATION = "j/<str:code>/<secret:secret>"
JOINING = "join/<secret:secret>"
JOINING_WITHDRAW = "join/<secret:secret>/withdraw"
API_JOINING = "seasons/joining/<secret:secret>"
API_JOINING_WITHDRAW = "seasons/joining/<secret:secret>/withdraw"
ROUTES = (
    VERIFY_EMAIL, UNSUBSCRIBE, NEW_PASSWORD, PANEL_NEW_PASSWORD, CALENDAR, INVITATION, JOINING, JOINING_WITHDRAW,
    API_JOINING, API_JOINING_WITHDRAW,
)  # fmt: skip
"""Paths without the prefix under which another URLconf includes them."""
HIDDEN = "[hidden]"
_SLASH = r"(?:\\?/|%(?:25)*2F)"
_SEGMENT = r"[^\s\"'<>?#&/\\]+?"
_REST = r"[^\s\"'<>?#&]+"
_MIN_LENGTH = 12
"""Shorter parts are words of a route. The shortest secret has 24 characters."""
_OPAQUE = re.compile(r"[\w.:~%-]{20,}")
_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


def _before_the_secret(route: str) -> str:
    segments = route.partition("<secret:")[0].strip("/").split("/")
    return f"{_SLASH}+".join(_SEGMENT if it.startswith("<") else re.escape(it) for it in segments)


# One slash leads in, whatever stands before it. A search that took a whole run of slashes along would take time by the
# square of its length, and clients choose the texts.
_SECRET = re.compile(
    f"(?P<before>{_SLASH}(?:{'|'.join(sorted(set(map(_before_the_secret, ROUTES))))}){_SLASH}+)(?P<secret>{_REST})",
    re.IGNORECASE,
)


def has_secret(url: str) -> bool:
    """True if a path or URL holds a secret, also within its query."""
    return _SECRET.search(url) is not None


def secrets_in(url: str) -> list[str]:
    """Return what may be a secret in a path or URL, in the spellings it may have in other texts, longest first: what
    follows a route, and anything as long as a secret, since a mistyped path may hold one. Ids are excluded."""
    parts = {
        part for match in _SECRET.finditer(url) for part in (match["secret"], *re.split(f"{_SLASH}+", match["secret"]))
    }
    parts |= {it for it in _OPAQUE.findall(url) if not _ID.fullmatch(it)}
    spellings = {it for part in parts for plain in (part, unquote(part)) for it in (plain, quote(plain, safe=""))}
    spellings |= {it.removesuffix(".ics") for it in spellings}
    return sorted((it for it in spellings if len(it) >= _MIN_LENGTH), key=len, reverse=True)


def hide(text: str, secrets: Iterable[str] = ()) -> str:
    """Return the text without these secrets and without the secrets in all paths within it."""
    for secret in secrets:
        text = text.replace(secret, HIDDEN)
    return _SECRET.sub(rf"\g<before>{HIDDEN}", text)
