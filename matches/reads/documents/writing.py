"""Documents of private notes."""

from msgspec import Struct


class NoteDocument(Struct, frozen=True):
    """The caller's private notes at a match; `mark` names the text, so that a writer can say which text it had read."""

    text: str
    mark: str
