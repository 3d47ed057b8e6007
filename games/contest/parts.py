"""The base of all parts of a contest's content."""

from typing import ClassVar

from msgspec import Struct

from games.kernel.texts import Commitment


class Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a contest's content. One of several kinds has the `label` of its kind; the values named in `unused`
    have no meaning for it. The docstring of such a kind is shown to authors.
    """

    label: ClassVar[str] = ""
    unused: ClassVar[frozenset[str]] = frozenset()


class Sealed(Part, frozen=True, kw_only=True):
    """A commitment in place of a part that is published later."""

    sealed: Commitment
