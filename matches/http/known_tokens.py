"""Access tokens that this process has found good within the last minute, for the event loop.

That one was good says nothing of now: what is done by it asks the database once more, in the statement that does it.
After a minute the token is looked up again, which notes its use.
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
_found: OrderedDict[bytes, AccessToken] = OrderedDict()


def remember(token: AccessToken) -> None:
    """Keep a token that has just been found, with its account; of very many the oldest gives way."""
    with _lock:
        _found[bytes(token.digest)] = token
        _found.move_to_end(bytes(token.digest))
        if len(_found) > _MOST:
            _found.popitem(last=False)


def known(text: str) -> AccessToken | None:
    """The token behind this text as it was found, with its account; None where it is to be looked up."""
    token = _found.get(digest_of(text))
    if token is None or token.last_used_at is None or token.last_used_at < timezone.now() - KEPT_FOR:
        return None
    return token
