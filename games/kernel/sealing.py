"""Parts of the options that are committed to when a match opens, and published later.

Options are public, and every witness folds from them. A secret part is replaced there by `{"sealed": commitment}`. The
commitment is the SHA-256 of the part's bytes in hex; they are canonical JSON `{"salt": ..., "value": ...}`. The parts
are kept beside the seed.
"""

import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

import msgspec

from games.kernel.chance import Chance
from games.kernel.wire import canonical

Parts = Mapping[str, bytes]
"""Sealed parts by commitment."""

_SALT_WORDS = 4
_COMMITMENT = re.compile("[0-9a-f]{64}")


class SealedPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sealed part, as the log publishes it; `salt` is 64 hexadecimal digits."""

    salt: str
    value: Any


def seal(value: Any, purpose: str, chance: Chance) -> tuple[str, bytes]:
    """Return the commitment to a value and the part's bytes; the salt is drawn for the purpose."""
    draws = chance.draws(f"salt of {purpose}")
    salt = b"".join(draws.word().to_bytes(8, "big") for _ in range(_SALT_WORDS)).hex()
    part = canonical(SealedPart(salt, value))
    return sha256(part).hexdigest(), part


def read_part(commitment: str, chance: Chance) -> SealedPart:
    """Return the part with this commitment; raise LookupError if it isn't kept beside the seed."""
    return msgspec.json.decode(chance.parts[commitment], type=SealedPart)


def is_committed(part: SealedPart, commitment: str) -> bool:
    """True if the commitment was made to this part."""
    return sha256(canonical(part)).hexdigest() == commitment


def commitments(options: Any) -> Iterator[str]:
    """Yield the commitments in options as JSON."""
    if isinstance(options, dict):
        sealed = options.get("sealed")
        if len(options) == 1 and isinstance(sealed, str) and _COMMITMENT.fullmatch(sealed):
            yield sealed
        options = options.values()
    elif not isinstance(options, list):
        return
    for inner in options:
        yield from commitments(inner)
