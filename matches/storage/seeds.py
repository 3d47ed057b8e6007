"""A match's seed: committed to at the opening, sealed during play, revealed at the end, or at the end of its season.

The seed is 32 random bytes; `match_opened` holds SHA-256(seed). Draws derive from a key that includes the seats'
nonces: `key = HMAC-SHA256(seed, given)`. In a match whose opening names `croupier-nonces-v2`, `given` is
`"croupier-nonces-v2\\n"` and then for each seat in order one byte, the length of the following value in 4 bytes
big-endian, and the value: 0 and nothing for no nonce; 1 and a plain nonce in UTF-8; 2 and the 32 bytes of a committed
nonce; 3 and the 32 bytes of the commitment if the nonce wasn't revealed in time. In an older match it is
`"croupier-nonces-v1\\n"` and for each seat the length of its nonce in 4 bytes big-endian and the nonce in UTF-8 (length
0 without a nonce). docs/chance.md explains who can influence what.

Wherever the seed is unsealed, it is checked against the opening's commitment. So no draw uses another seed, whether a
row was swapped in the database or the service itself is at fault.

A match that is rewound after an end that has revealed its seed continues with another one. All its seeds
derive from one root of 32 random bytes, sealed like the first: seed n is SHA-256 applied `LAST - n` times to the root.
So each seed is the commitment of the next (SHA-256 of seed n + 1 is seed n), the opening commits to all of them, and
none reveals a later one. A match opened before roots existed has no root and only one seed.

A rewound match continues with new draws: before the first rewind the line of play is 0 and its key is `key` itself;
after rewind n the line is n, and its key `HMAC-SHA256(key, "croupier-line-v1\\n" || n as 8 bytes big-endian)`.

The sealed parts of a match's options (`games.kernel.sealing`) are stored in a table of their own, sealed like the seed,
and checked against their commitments wherever they are unsealed. Their salts are drawn from the first seed itself,
because nobody has given a nonce when a match opens. A season that schedules a match seals its options with random
salts, keeps the parts beside its own log, and hands them on when the match opens.
"""

import base64
import hmac
import secrets
from collections.abc import Collection, Iterable, Iterator, Mapping
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
from games import catalogue
from games.kernel import Chance, Illegal, Parts, commitments
from matches.domain import nonces
from matches.domain.lifecycle import Lifecycle
from matches.storage import repository
from matches.storage.repository import BrokenRecord

NONCES = "croupier-nonces-v2"
"""The scheme by which nonces enter the key of a new match."""
LAST = 16
"""The number of a match's last seed, and so the maximum of rewinds after its end."""
KEPT = 20_000
"""Size of the caches of small constant values per match: more matches than a process has running."""
_MOST_WITH_PARTS = 200
"""Size of the cache of parts, which can be as large as the options."""

_NONCES = b"croupier-nonces-v1\n"
_LINE = b"croupier-line-v1\n"
_STORE = "INSERT INTO matches_seed (match_id, sealed) VALUES ($1, $2)"
_STORE_WITH_ROOT = "INSERT INTO matches_seed (match_id, sealed, root) VALUES ($1, $2, $3)"
_STORE_PART = "INSERT INTO matches_sealedpart (stream, commitment, sealed) VALUES ($1, $2, $3)"
_KEPT = "SELECT sealed FROM matches_seed WHERE match_id = $1"
_KEPT_OF_MATCH = "SELECT sealed, root FROM matches_seed WHERE match_id = $1"
_KEPT_PARTS = "SELECT stream, commitment, sealed FROM matches_sealedpart WHERE stream = ANY($1::uuid[])"
_FETCH = """
SELECT e.stream, e.public, s.sealed, s.root FROM events_event e LEFT JOIN matches_seed s ON s.match_id = e.stream
WHERE e.stream = ANY($1::uuid[]) AND e.version = 1 AND e.type = 'match_opened'
"""


def new_seed() -> bytes:
    """Return 32 bytes from the system's random generator."""
    return secrets.token_bytes(32)


def seed_from(root: bytes, number: int) -> bytes:
    """Return the seed of this number, from 0 to `LAST`, derived from a match's root."""
    seed = root
    for _ in range(LAST - number):
        seed = sha256(seed).digest()
    return seed


def commitment(seed: bytes) -> str:
    """Return the commitment to a seed, as in `match_opened`."""
    return sha256(seed).hexdigest()


def mixed(seed: bytes, nonces: tuple[str | None, ...]) -> bytes:
    """Return the key of an older match's draws, before any rewind."""
    return hmac.digest(seed, _plain_nonces(nonces), "sha256")


def key_of(seed: bytes, lifecycle: Lifecycle) -> bytes:
    """Return the key of a match's draws, before any rewind."""
    return hmac.digest(seed, given(lifecycle), "sha256")


def given(lifecycle: Lifecycle) -> bytes:
    """Return the seats' part of the key of a match that has started."""
    if lifecycle.opened.nonces is None:
        return _plain_nonces(lifecycle.nonces)
    parts = (bytes([kind]) + len(value).to_bytes(4, "big") + value for kind, value in nonces.parts(lifecycle))
    return f"{NONCES}\n".encode() + b"".join(parts)


def _plain_nonces(nonces: tuple[str | None, ...]) -> bytes:
    encoded = [(nonce or "").encode() for nonce in nonces]
    return _NONCES + b"".join(len(nonce).to_bytes(4, "big") + nonce for nonce in encoded)


def of_line(key: bytes, rewinds: int) -> bytes:
    """Return the key of the line of play after so many rewinds."""
    return key if rewinds == 0 else hmac.digest(key, _LINE + rewinds.to_bytes(8, "big"), "sha256")


def storing(stream: UUID, seed: bytes) -> Statement:
    """Return the statement that stores one sealed secret, for the transaction that opens its stream."""
    return _STORE, (stream, encrypted(seed))


def storing_root(match_id: UUID, root: bytes) -> Statement:
    """Return the statement that stores a match's first seed and its root, sealed, for the transaction that opens the
    match."""
    return _STORE_WITH_ROOT, (match_id, encrypted(seed_from(root, 0)), encrypted(root))


def storing_parts(stream: UUID, parts: Parts) -> list[Statement]:
    """Return the statements that store parts of options, sealed, for the transaction that appends their commitments."""
    return [(_STORE_PART, (stream, bytes.fromhex(it), encrypted(part))) for it, part in parts.items()]


def chance_of_opening(root: bytes) -> Chance:
    """Return the chance by which the options of a new match are sealed."""
    return Chance(seed_from(root, 0))


def seed_of(match_id: UUID, number: int = 0) -> bytes:
    """Return the seed of this number. Only the dealer's code may use it. Raises BrokenRecord if it isn't the committed
    one."""
    return _unsealed(match_id, number)


def refuse_spent(match_id: UUID, number: int) -> None:
    """Raise no_further_seed if a match has no seed of this number."""
    for _, _, _, root in _fetched([match_id]):
        if number > LAST or root is None:
            raise Illegal(
                "no_further_seed",
                f"A match is rewound after its end at most {LAST} times, and none that was opened before its opening "
                "promised more than one seed: annul it, and set another.",
            )


def faults(streams: Iterable[UUID]) -> dict[UUID, str]:
    """Return the fault of each stream among these that is a match with invalid sealed seeds, or has invalid sealed
    parts. No seed or part is returned."""
    reasons, ids = {}, set(streams)
    kept = _fetched_parts(ids)
    promised = {stream: set(sealed) for stream, sealed in kept.items()}
    for match_id, public, sealed, root in _fetched(ids):
        promised.setdefault(match_id, set()).update(commitments(msgspec.json.decode(public)))
        try:
            _checked_seed(match_id, public, sealed, root)
        except BrokenRecord as broken:
            reasons[match_id] = broken.broken.reason
    for stream, names in promised.items():
        try:
            _checked_parts(stream, kept.get(stream, {}), names)
        except BrokenRecord as broken:
            reasons.setdefault(stream, broken.broken.reason)
    return reasons


def chance_of(match_id: UUID, state: Lifecycle, version: int) -> Chance:
    """Return the match's chance at a version of its game's log, on its current line of play, with the parts of its
    options. Raises BrokenRecord if the sealed seed or parts aren't the committed ones; then nothing is drawn."""
    chance = _chance(match_id, given(state), state.rewinds, state.seed_number).at(version)
    return chance.keeping(_parts(match_id)) if catalogue[state.opened.game].seals else chance


def parts_of(match_id: UUID) -> Parts:
    """Return the parts of a match's options by commitment. Only the dealer's code may use them, and the record of a
    match whose secrets are open. Raises BrokenRecord."""
    return _parts(match_id)


def kept_parts(stream: UUID, wanted: Collection[str]) -> Parts:
    """Return those of the wanted parts that are kept beside a stream, by commitment. Raises BrokenRecord."""
    sealed = _fetched_parts([stream]).get(stream, {}) if wanted else {}
    return _checked_parts(stream, sealed, sealed.keys() & set(wanted))


@lru_cache(maxsize=KEPT)
def _chance(match_id: UUID, given: bytes, rewinds: int, number: int) -> Chance:
    return Chance(of_line(hmac.digest(_unsealed(match_id, number), given, "sha256"), rewinds))


@lru_cache(maxsize=KEPT)
def _unsealed(match_id: UUID, number: int) -> bytes:
    for _, public, sealed, root in _fetched([match_id]):
        return _checked_seed(match_id, public, sealed, root, number)
    raise BrokenRecord(ChainBroken(match_id, 1, "no seed was promised"))


@lru_cache(maxsize=_MOST_WITH_PARTS)
def _parts(match_id: UUID) -> Parts:
    for _, opening in _openings([match_id]):
        promised = set(commitments(msgspec.json.decode(opening)))
        return _checked_parts(match_id, _fetched_parts([match_id]).get(match_id, {}), promised)
    raise BrokenRecord(ChainBroken(match_id, 1, "no seed was promised"))


def _fetched_parts(streams: Iterable[UUID]) -> dict[UUID, dict[str, bytes]]:
    """Return the sealed parts that are kept beside these streams, by commitment."""
    kept: dict[UUID, dict[str, bytes]] = {}
    (rows,) = roundtrip(raw_connection(), [(_KEPT_PARTS, (array(map(str, streams)),))])
    for stream, commitment_bytes, sealed in rows:
        kept.setdefault(stream, {})[bytes(commitment_bytes).hex()] = sealed
    return kept


def _fetched(streams: Iterable[UUID]) -> list[tuple[Any, ...]]:
    """Return for each stream that is a match: id, public part of the opening, sealed seed, sealed root."""
    ids = set(streams)
    (rows,) = roundtrip(raw_connection(), [(_FETCH, (array(map(str, ids)),))])
    missing = ids.difference(stream for stream, *_ in rows)
    return rows + [_fetched_archived(opening, stream) for stream, opening in _openings(missing)]


def _openings(streams: Collection[UUID]) -> Iterator[tuple[UUID, bytes]]:
    """Yield the public part of the opening of each of these streams that is a match, also in the archive."""
    for stream, rows in store.read_at(dict.fromkeys(streams, (1,))).items():
        yield from ((stream, row.public) for row in rows if row.type == "match_opened")


def _fetched_archived(opening: bytes, stream: UUID) -> tuple[Any, ...]:
    (rows,) = roundtrip(raw_connection(), [(_KEPT_OF_MATCH, (stream,))])
    return stream, opening, *(rows[0] if rows else (None, None))


def _checked_seed(match_id: UUID, public: bytes, sealed: bytes | None, root: bytes | None, number: int = 0) -> bytes:
    """Return the unsealed seed of this number after checking it against the opening's commitment; raises
    BrokenRecord."""
    if sealed is None or (number and root is None):
        raise BrokenRecord(ChainBroken(match_id, 1, "its sealed seed is missing"))
    seed = decrypted(match_id, sealed)
    fields = msgspec.json.decode(bytes(public))
    if not isinstance(fields, dict) or commitment(seed) != fields.get("seed_commitment"):
        raise BrokenRecord(ChainBroken(match_id, 1, "its sealed seed is not the one that was promised"))
    if root is None:
        return seed
    unsealed_root = decrypted(match_id, root)
    if seed_from(unsealed_root, 0) != seed:
        raise BrokenRecord(ChainBroken(match_id, 1, "the sealed root of its seeds is not the one that was promised"))
    return seed_from(unsealed_root, number)


def _checked_parts(stream: UUID, sealed: Mapping[str, bytes], promised: Collection[str]) -> Parts:
    """Return the unsealed parts to these commitments after checking them; raises BrokenRecord."""
    parts = {name: decrypted(stream, sealed[name]) for name in promised if name in sealed}
    if len(parts) < len(promised) or any(sha256(part).hexdigest() != name for name, part in parts.items()):
        raise BrokenRecord(ChainBroken(stream, 1, "a sealed part of its options is not the one that was promised"))
    return parts


def unsealed(stream: UUID) -> bytes:
    """Return the secret that `storing` stored for a stream that isn't a match; its owner checks it against its own
    commitment. Raises BrokenRecord."""
    (rows,) = roundtrip(raw_connection(), [(_KEPT, (stream,))])
    if not rows:
        raise BrokenRecord(ChainBroken(stream, 1, "its sealed seed is missing"))
    return decrypted(stream, rows[0][0])


def encrypted(secret: bytes) -> bytes:
    """Return a secret as it is stored."""
    return _box().encrypt(secret)


def decrypted(stream: UUID, sealed: bytes) -> bytes:
    """Return a stored secret of a stream; raises BrokenRecord."""
    try:
        return _box().decrypt(bytes(sealed))
    except InvalidToken:
        raise BrokenRecord(ChainBroken(stream, 1, "its sealed seed doesn't open with the house's key")) from None


repository.when_lost.extend((_chance.cache_clear, _unsealed.cache_clear, _parts.cache_clear))


@lru_cache(maxsize=1)
def _box() -> Fernet:
    return Fernet(base64.urlsafe_b64encode(sha256(settings.SEED_KEY.encode()).digest()))
