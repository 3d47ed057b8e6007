"""The base of all parts of a contest's content."""

from msgspec import Struct

from games.kernel.texts import Commitment


class Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a contest's content."""


class Sealed(Part, frozen=True, kw_only=True):
    """A commitment in place of a part that is published later."""

    sealed: Commitment
