"""Access tokens: made once, shown once, kept as a hash."""

import hashlib
import secrets
from datetime import timedelta
from typing import NamedTuple

LIFETIME = timedelta(days=90)
_MARK = "crp_"
_PREFIX_LENGTH = 12


class NewToken(NamedTuple):
    """A token on its way to its owner; only the prefix and the digest are kept."""

    token: str
    prefix: str
    digest: bytes


def new_token() -> NewToken:
    """A token of 32 random bytes."""
    token = _MARK + secrets.token_urlsafe(32)
    return NewToken(token, token[:_PREFIX_LENGTH], digest_of(token))


def digest_of(token: str) -> bytes:
    """What is kept of a token. It is random and long, so a plain hash can't be turned back."""
    return hashlib.sha256(token.encode()).digest()
