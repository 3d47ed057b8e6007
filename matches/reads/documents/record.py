"""Documents that prove a match's record, and who took it."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from msgspec import Struct, field


class CoverDocument(Struct, frozen=True):
    """The match's hash at a version, in the signed checkpoint of `size` leaves, made at `at`."""

    version: int
    hash: str
    position: int
    size: int
    at: datetime


AccessKind = Literal["truth_viewed", "exported", "archived", "changed", "webhook_set", "webhook_removed"]


class AccessDocument(Struct, frozen=True):
    """An access to a match's record: `by` is an account's id or the house's name; `version` is the event's, if it is
    one."""

    at: datetime
    by: str
    kind: AccessKind
    version: int | None
    text: str


class AuditDocument(Struct, frozen=True):
    """The head of a match's chain and its commitments; `seed` is null until it is revealed.

    `nonces` are the seats' own, `nonce_commitments` the commitments to some of them, and `left_out` the seats that
    didn't show theirs in time; `fairness` says who could have chosen the draws.

    `truth_viewed_by` are the accounts of the hosts who looked at the seats' secrets while the match ran. `checkpoints`
    are the newest signed ones that cover the match, `access` lists who looked at the truth, took the record or changed
    something, newest first.
    """

    version: int
    hash: str
    events: int
    seed_commitment: str
    chance: str
    nonces: list[str | None]
    nonce_commitments: list[str | None]
    left_out: list[int]
    fairness: str
    seed: str | None
    truth_viewed_by: list[UUID]
    verifier_key: str
    checkpoints: list[CoverDocument]
    access: list[AccessDocument]


class ProofDocument(Struct, frozen=True):
    """A proof that a signed checkpoint holds a match's hash: `path` leads from the leaf to the root, as in RFC 6962.

    The leaf is `"croupier-head-v1
    " || match id (16 bytes) || version (8 bytes big-endian) || hash`; hashes are hex.
    """

    version: int
    hash: str
    position: int
    size: int
    root: str
    path: list[str]
    note: str


class ConsistencyDocument(Struct, frozen=True):
    """A proof that the tree of `to` leaves begins with that of `from`: the path as in RFC 6962, hashes in hex, and both
    signed notes."""

    from_: int = field(name="from")
    to: int
    path: list[str]
    from_note: str
    to_note: str
