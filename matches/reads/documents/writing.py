"""What people write at a match for themselves, as it is told."""

from msgspec import Struct


class NoteDocument(Struct, frozen=True):
    """The caller's private notes at a match; `mark` names the text, for a writer to say what it knew."""

    text: str
    mark: str
