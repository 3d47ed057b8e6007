"""A leaf of the checkpoints' tree. Pure."""

from typing import NamedTuple
from uuid import UUID

from events.checkpoints import merkle

_DOMAIN = b"croupier-head-v1\n"


class Leaf(NamedTuple):
    """A stream's head in a checkpoint."""

    position: int
    stream: UUID
    version: int
    hash: bytes

    @property
    def leaf_hash(self) -> bytes:
        return merkle.leaf_hash(_DOMAIN + self.stream.bytes + self.version.to_bytes(8, "big") + self.hash)
