"""What people write at a match, as it is told."""

from datetime import datetime

from msgspec import Struct

from matches.reads.documents.match import PlayerDocument


class NoteDocument(Struct, frozen=True):
    """The caller's private notes at a match; `mark` names the text, for a writer to say what it knew."""

    text: str
    mark: str


class RemarkDocument(Struct, frozen=True):
    """What a spectator said, when the match stood at `at_version` for them; `number` counts those of a match from 1."""

    number: int
    account: PlayerDocument
    at_version: int
    text: str
    said_at: datetime


class RemarkList(Struct, frozen=True):
    """The latest remarks, oldest first."""

    results: list[RemarkDocument]
    next: None
