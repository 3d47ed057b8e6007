"""A match's seed: promised at the opening, sealed while it runs, revealed at the end.

The seed is 32 random bytes; `match_opened` holds SHA-256(seed). Draws don't use it bare: what the seats gave is mixed
in, `key = HMAC-SHA256(seed, given)`. In a match whose opening names `croupier-nonces-v2` that is
`"croupier-nonces-v2\\n"` and for each seat in order a byte, the length of what follows in 4 bytes big-endian, and: 0,
nothing, where it gave no nonce; 1 and a plain nonce in UTF-8; 2 and the 32 bytes of one that it had promised; 3 and the
32 bytes of its promise where it didn't show it in time. In an older match it is `"croupier-nonces-v1\\n"` and for each
seat the length of its nonce in 4 bytes big-endian and the nonce in UTF-8 (length 0 where it gave none). docs/chance.md
tells who could choose what by that.

The opening's promise is held against the seed wherever that is unsealed, so that no draw is made of another one: not
after a row was swapped in the database, nor by the service itself.

Its end reveals the seed, so a match that is rewound after its end goes on with another one. All its seeds come from
one root of 32 random bytes, sealed like the first: seed n is SHA-256 applied `LAST - n` times to the root. So each seed
is the commitment of the next (SHA-256 of seed n + 1 is seed n), all are promised by the opening, and none tells a later
one. A match that was opened before there were roots has none, and one seed alone.

A match that is rewound goes on with other draws than those it has seen: before the first rewind the line of play is 0
and its key is `key` itself; after rewind n the line is n, and its key `HMAC-SHA256(key, "croupier-line-v1\\n" || n as
8 bytes big-endian)`.
"""

import base64
import hmac
import secrets
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from hashlib import sha256
from typing import Any
from uuid import UUID

import msgspec
from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings

from events import store
from events.chain import ChainBroken
from events.pipeline import Statement, array, roundtrip
from events.store import raw_connection
from games.kernel import Chance, Illegal
from matches.domain import nonces
from matches.domain.lifecycle import Lifecycle
from matches.storage import repository
from matches.storage.repository import BrokenRecord

NONCES = "croupier-nonces-v2"
"""How nonces come into the key of a match that is opened today."""
LAST = 16
"""The number of the last seed that a match has: so often it can be rewound after its end."""
KEPT = 20_000
"""Of how many matches a process keeps what is small and never changes: more than it can have under way."""

_NONCES = b"croupier-nonces-v1\n"
_LINE = b"croupier-line-v1\n"
_STORE = "INSERT INTO matches_seed (match_id, sealed) VALUES ($1, $2)"
_STORE_WITH_ROOT = "INSERT INTO matches_seed (match_id, sealed, root) VALUES ($1, $2, $3)"
_KEPT = "SELECT sealed FROM matches_seed WHERE match_id = $1"
_KEPT_OF_MATCH = "SELECT sealed, root FROM matches_seed WHERE match_id = $1"
_FETCH = """
SELECT e.stream, e.public, s.sealed, s.root FROM events_event e LEFT JOIN matches_seed s ON s.match_id = e.stream
WHERE e.stream = ANY($1::uuid[]) AND e.version = 1 AND e.type = 'match_opened'
"""


def new_seed() -> bytes:
    """32 bytes from the system's generator."""
    return secrets.token_bytes(32)


def seed_from(root: bytes, number: int) -> bytes:
    """The seed of this number, from 0 to `LAST`, that a match's root gives."""
    seed = root
    for _ in range(LAST - number):
        seed = sha256(seed).digest()
    return seed


def commitment(seed: bytes) -> str:
    """What `match_opened` tells of the seed."""
    return sha256(seed).hexdigest()


def mixed(seed: bytes, nonces: tuple[str | None, ...]) -> bytes:
    """The key that an older match's draws derive from, before any rewind."""
    return hmac.digest(seed, _plainly(nonces), "sha256")


def key_of(seed: bytes, story: Lifecycle) -> bytes:
    """The key that a match's draws derive from, before any rewind."""
    return hmac.digest(seed, given(story), "sha256")


def given(story: Lifecycle) -> bytes:
    """What the seats of a match that has begun gave to its key."""
    if story.opened.nonces is None:
        return _plainly(story.nonces)
    said = (bytes([kind]) + len(value).to_bytes(4, "big") + value for kind, value in nonces.parts(story))
    return f"{NONCES}\n".encode() + b"".join(said)


def _plainly(nonces: tuple[str | None, ...]) -> bytes:
    told = [(nonce or "").encode() for nonce in nonces]
    return _NONCES + b"".join(len(n).to_bytes(4, "big") + n for n in told)


def of_line(key: bytes, rewinds: int) -> bytes:
    """The key of the line of play after so many rewinds."""
    return key if rewinds == 0 else hmac.digest(key, _LINE + rewinds.to_bytes(8, "big"), "sha256")


def storing(stream: UUID, seed: bytes) -> Statement:
    """The statement that keeps one sealed secret, for the transaction that opens its stream."""
    return _STORE, (stream, _box().encrypt(seed))


def storing_root(match_id: UUID, root: bytes) -> Statement:
    """The statement that keeps a match's first seed and its root, sealed, for the transaction that opens the match."""
    return _STORE_WITH_ROOT, (match_id, _box().encrypt(seed_from(root, 0)), _box().encrypt(root))


def seed_of(match_id: UUID, number: int = 0) -> bytes:
    """The seed of this number itself; for the dealing alone. Raises BrokenRecord where it isn't the one promised."""
    return _unsealed(match_id, number)


def refuse_spent(match_id: UUID, number: int) -> None:
    """Raise no_further_seed where a match has no seed of this number."""
    for _, _, _, root in _fetched([match_id]):
        if number > LAST or root is None:
            raise Illegal(
                "no_further_seed",
                f"A match is rewound after its end at most {LAST} times, and none that was opened before its opening "
                "promised more than one seed: annul it, and set another.",
            )


def faults(streams: Iterable[UUID]) -> dict[UUID, str]:
    """What is wrong with the sealed seeds of those of these streams that are matches; the seeds are told to nobody."""
    found = {}
    for match_id, *kept in _fetched(streams):
        try:
            _promised(match_id, *kept)
        except BrokenRecord as broken:
            found[match_id] = broken.broken.reason
    return found


def chance_of(match_id: UUID, state: Lifecycle, version: int) -> Chance:
    """The match's chance at a version of its game's log, on its present line of play. Raises BrokenRecord where the
    sealed seed isn't the one promised; then nothing is drawn."""
    return _chance(match_id, given(state), state.rewinds, state.reopened).at(version)


@lru_cache(maxsize=KEPT)
def _chance(match_id: UUID, given: bytes, rewinds: int, number: int) -> Chance:
    return Chance(of_line(hmac.digest(_unsealed(match_id, number), given, "sha256"), rewinds))


@lru_cache(maxsize=KEPT)
def _unsealed(match_id: UUID, number: int) -> bytes:
    for _, public, sealed, root in _fetched([match_id]):
        return _promised(match_id, public, sealed, root, number)
    raise BrokenRecord(ChainBroken(match_id, 1, "no seed was promised"))


def _fetched(streams: Iterable[UUID]) -> list[tuple[Any, ...]]:
    """Of those streams that are matches: id, the public part of the opening, the sealed seed, the sealed root."""
    asked = set(streams)
    (rows,) = roundtrip(raw_connection(), [(_FETCH, (array(map(str, asked)),))])
    gone = asked.difference(stream for stream, *_ in rows)
    return rows + [_fetched_archived(opening, stream) for stream, opening in _archived_openings(gone)]


def _archived_openings(streams: Collection[UUID]) -> Iterator[tuple[UUID, bytes]]:
    """The public parts of the openings of those of these streams that are matches in the archive."""
    for stream, rows in store.read_at(dict.fromkeys(streams, (1,))).items():
        yield from ((stream, row.public) for row in rows if row.type == "match_opened")


def _fetched_archived(opening: bytes, stream: UUID) -> tuple[Any, ...]:
    (rows,) = roundtrip(raw_connection(), [(_KEPT_OF_MATCH, (stream,))])
    return stream, opening, *(rows[0] if rows else (None, None))


def _promised(match_id: UUID, public: bytes, sealed: bytes | None, root: bytes | None, number: int = 0) -> bytes:
    """The seed of this number, unsealed and held against what the match's opening promised; raises BrokenRecord."""
    if sealed is None or (number and root is None):
        raise BrokenRecord(ChainBroken(match_id, 1, "its sealed seed is missing"))
    seed = _opened(match_id, sealed)
    told = msgspec.json.decode(bytes(public))
    if not isinstance(told, dict) or commitment(seed) != told.get("seed_commitment"):
        raise BrokenRecord(ChainBroken(match_id, 1, "its sealed seed is not the one that was promised"))
    if root is None:
        return seed
    opened = _opened(match_id, root)
    if seed_from(opened, 0) != seed:
        raise BrokenRecord(ChainBroken(match_id, 1, "the sealed root of its seeds is not the one that was promised"))
    return seed_from(opened, number)


def unsealed(stream: UUID) -> bytes:
    """What `storing` has kept for a stream that is no match, whose owner holds it against its own promise; raises
    BrokenRecord."""
    (rows,) = roundtrip(raw_connection(), [(_KEPT, (stream,))])
    if not rows:
        raise BrokenRecord(ChainBroken(stream, 1, "its sealed seed is missing"))
    return _opened(stream, rows[0][0])


def _opened(stream: UUID, sealed: bytes) -> bytes:
    try:
        return _box().decrypt(bytes(sealed))
    except InvalidToken:
        raise BrokenRecord(ChainBroken(stream, 1, "its sealed seed doesn't open with the house's key")) from None


repository.when_lost.extend((_chance.cache_clear, _unsealed.cache_clear))


@lru_cache(maxsize=1)
def _box() -> Fernet:
    return Fernet(base64.urlsafe_b64encode(sha256(settings.SEED_KEY.encode()).digest()))
