"""A match's seed: promised at the opening, sealed while it runs, revealed at the end.

The seed is 32 random bytes; `match_opened` holds SHA-256(seed). Draws don't use it bare: the seats' nonces are
mixed in, `key = HMAC-SHA256(seed, "croupier-nonces-v1\\n" || for each seat in order: length of its nonce in 4 bytes
big-endian, nonce in UTF-8 (length 0 where it gave none))`, so that neither the host nor a seat alone chooses the deal.

A match that is rewound goes on with other draws than those it has seen: before the first rewind the line of play is 0
and its key is `key` itself; after rewind n the line is n, and its key `HMAC-SHA256(key, "croupier-line-v1\\n" || n as
8 bytes big-endian)`.
"""

import base64
import hmac
import secrets
from functools import lru_cache
from hashlib import sha256
from uuid import UUID

from cryptography.fernet import Fernet
from django.conf import settings

from events.roundtrip import Statement, roundtrip
from events.store import raw_connection
from games.kernel import Chance
from matches.lifecycle import Lifecycle

_NONCES = b"croupier-nonces-v1\n"
_LINE = b"croupier-line-v1\n"
_STORE = "INSERT INTO matches_seed (match_id, sealed) VALUES ($1, $2)"
_FETCH = "SELECT sealed FROM matches_seed WHERE match_id = $1"


def new_seed() -> bytes:
    """32 bytes from the system's generator."""
    return secrets.token_bytes(32)


def commitment(seed: bytes) -> str:
    """What `match_opened` tells of the seed."""
    return sha256(seed).hexdigest()


def mixed(seed: bytes, nonces: tuple[str | None, ...]) -> bytes:
    """The key that draws derive from, before any rewind."""
    given = [(nonce or "").encode() for nonce in nonces]
    return hmac.digest(seed, _NONCES + b"".join(len(n).to_bytes(4, "big") + n for n in given), "sha256")


def of_line(key: bytes, rewinds: int) -> bytes:
    """The key of the line of play after so many rewinds."""
    return key if rewinds == 0 else hmac.digest(key, _LINE + rewinds.to_bytes(8, "big"), "sha256")


def storing(match_id: UUID, seed: bytes) -> Statement:
    """The statement that keeps a sealed seed, for the transaction that opens the match."""
    return _STORE, (match_id, _box().encrypt(seed))


def seed_of(match_id: UUID) -> bytes:
    """The seed itself; for the dealing alone."""
    return _unsealed(match_id)


def chance_of(match_id: UUID, state: Lifecycle, version: int) -> Chance:
    """The match's chance at a version of its game's log, on its present line of play."""
    return _chance(match_id, state.nonces, state.rewinds).at(version)


@lru_cache(maxsize=4096)
def _chance(match_id: UUID, nonces: tuple[str | None, ...], rewinds: int) -> Chance:
    return Chance(of_line(mixed(_unsealed(match_id), nonces), rewinds))


@lru_cache(maxsize=4096)
def _unsealed(match_id: UUID) -> bytes:
    ((row,),) = roundtrip(raw_connection(), [(_FETCH, (match_id,))])
    return _box().decrypt(bytes(row[0]))


@lru_cache(maxsize=1)
def _box() -> Fernet:
    return Fernet(base64.urlsafe_b64encode(sha256(settings.SEED_KEY.encode()).digest()))
