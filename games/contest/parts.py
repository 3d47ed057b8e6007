"""The base of all parts of a contest's content."""

from typing import ClassVar

from msgspec import Struct

from games.kernel.texts import Commitment


class Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a contest's content. The values named in `unused` are those of other kinds of it, and change nothing
    here."""

    unused: ClassVar[frozenset[str]] = frozenset()


class Sealed(Part, frozen=True, kw_only=True):
    """A commitment in place of a part that is published later."""

    sealed: Commitment
