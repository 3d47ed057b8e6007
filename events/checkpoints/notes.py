"""Checkpoints as text, signed: C2SP's tlog-checkpoint in a signed note. Pure.

    croupier.example.org                            the origin
    1204                                            how many leaves the tree has
    CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=    its root, in base64
    time 2026-11-21T15:00:00.000000Z                an extension: the database's clock

    — croupier.example.org Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=

The signature line holds the key's number (4 bytes) and an Ed25519 signature of the text above the empty line.
"""

import base64
import binascii
import re
from datetime import UTC, datetime
from hashlib import sha256
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

_ED25519 = b"\x01"
_KEY_DOMAIN = b"croupier-checkpoint-key-v1\n"
_TEXT = re.compile(r"(?P<origin>[^\n]+)\n(?P<size>[1-9][0-9]{0,17})\n(?P<root>[^\n]+)\ntime (?P<at>[^\n]+)\n")
_TIME = "%Y-%m-%dT%H:%M:%S.%fZ"


class InvalidNote(Exception):
    """The text isn't a checkpoint, or its signature isn't valid for the key."""


class Checkpoint(NamedTuple):
    """The content of a checkpoint: the size and root of the tree at an instant."""

    origin: str
    size: int
    root: bytes
    at: datetime

    @property
    def text(self) -> str:
        """The text that is signed."""
        root, at = base64.b64encode(self.root).decode(), self.at.astimezone(UTC).strftime(_TIME)
        return f"{self.origin}\n{self.size}\n{root}\ntime {at}\n"


class Signer:
    """The service's signing key, derived from a secret, and the name on its checkpoints."""

    def __init__(self, name: str, secret: str) -> None:
        self.name = name
        self._key = Ed25519PrivateKey.from_private_bytes(sha256(_KEY_DOMAIN + secret.encode()).digest())
        self._public = self._key.public_key().public_bytes_raw()

    @property
    def verifier_key(self) -> str:
        """The key for checking signatures: `name+number+key`, the format of signed notes."""
        number = _number(self.name, self._public).hex()
        return f"{self.name}+{number}+{base64.b64encode(_ED25519 + self._public).decode()}"

    def sign(self, checkpoint: Checkpoint) -> str:
        """Return the signed note of a checkpoint."""
        signature = _number(self.name, self._public) + self._key.sign(checkpoint.text.encode())
        return f"{checkpoint.text}\n\u2014 {self.name} {base64.b64encode(signature).decode()}\n"


def read(note: str, verifier_key: str) -> Checkpoint:
    """Return the checkpoint of a note after checking its signature. Raise InvalidNote."""
    text, _, signatures = note.partition("\n\n")
    name, number, public = _key(verifier_key)
    checkpoint = _parse(f"{text}\n")
    if checkpoint.origin != name:
        raise InvalidNote(f"It is a checkpoint of {checkpoint.origin!r}, not of {name!r}.")
    for line in signatures.splitlines():
        dash, _, rest = line.partition(" ")
        signer, _, encoded = rest.partition(" ")
        signature = _decoded(encoded)
        if dash == "\u2014" and signer == name and signature[:4] == number:
            try:
                Ed25519PublicKey.from_public_bytes(public).verify(signature[4:], f"{text}\n".encode())
            except InvalidSignature:
                raise InvalidNote("The signature is not the key's.") from None
            return checkpoint
    raise InvalidNote("It isn't signed with this key.")


def _parse(text: str) -> Checkpoint:
    match = _TEXT.fullmatch(text)
    if match is None:
        raise InvalidNote("It is no checkpoint: origin, size, root and time stand on a line each.")
    try:
        at = datetime.strptime(match["at"], _TIME).replace(tzinfo=UTC)
    except ValueError:
        raise InvalidNote("Its time is none.") from None
    root = _decoded(match["root"])
    if len(root) != 32:
        raise InvalidNote("Its root is no SHA-256 hash.")
    return Checkpoint(match["origin"], int(match["size"]), root, at)


def _key(verifier_key: str) -> tuple[str, bytes, bytes]:
    name, _, rest = verifier_key.strip().partition("+")
    number, _, encoded = rest.partition("+")
    key = _decoded(encoded)
    if len(key) != 33 or key[:1] != _ED25519 or number != _number(name, key[1:]).hex():
        raise InvalidNote("That is no Ed25519 verifier key: `name+number+key`.")
    return name, bytes.fromhex(number), key[1:]


def _number(name: str, public: bytes) -> bytes:
    return sha256(name.encode() + b"\n" + _ED25519 + public).digest()[:4]


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise InvalidNote("It holds what is not base64.") from None
