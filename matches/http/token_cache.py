"""Cache of access tokens that were valid within the last minute, for the event loop.

A cached token may be invalid by now: the statement of the act checks it again. After a minute the token is looked up
again, which stores its use.
"""

from collections import OrderedDict
from datetime import timedelta
from threading import Lock

from django.utils import timezone

from matches.http.tokens import digest_of
from matches.models import AccessToken

KEPT_FOR = timedelta(minutes=1)
_MOST = 10_000
_lock = Lock()
_cached: OrderedDict[bytes, AccessToken] = OrderedDict()


def remember(token: AccessToken) -> None:
    """Cache a token that was just loaded, with its account; a full cache drops the oldest."""
    with _lock:
        _cached[bytes(token.digest)] = token
        _cached.move_to_end(bytes(token.digest))
        if len(_cached) > _MOST:
            _cached.popitem(last=False)


def cached_token(text: str) -> AccessToken | None:
    """Return the cached token with this text, with its account; None if it must be loaded."""
    token = _cached.get(digest_of(text))
    if token is None or token.last_used_at is None or token.last_used_at < timezone.now() - KEPT_FOR:
        return None
    return token
