"""A match's past as it is told: moments, changes, what a search found, how it went for its players."""

from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import Struct, field

from matches.reads.documents.match import ClocksDocument, DueDocument, LegalDocument, OutcomeDocument


class MomentDocument(Struct, frozen=True):
    """A match at a version as one witness knew it; `legal` are the seat's commands then, null for others.

    `text` tells the event that led there, `act` the versions of all that came with the next one; null at the end.
    """

    id: UUID
    game: str
    version: int
    at: datetime
    witness: str
    text: str
    act: list[int] | None
    due: DueDocument
    clocks: ClocksDocument | None
    outcome: OutcomeDocument | None
    view: dict[str, Any]
    legal: LegalDocument | None


class ChangeDocument(Struct, frozen=True):
    """A part of the view that is another one: `path` are its names and places; null where there was or is none."""

    path: list[str | int]
    before: Any
    after: Any


class DiffDocument(Struct, frozen=True):
    """What changed in a witness's view between two versions; `complete` is false where the list was cut."""

    id: UUID
    witness: str
    from_: int = field(name="from")
    to: int
    changes: list[ChangeDocument]
    complete: bool


class HistoryPage(Struct, frozen=True):
    """The events that fit, in ascending versions; `next` is the `after` of the following page, or null."""

    results: list[dict[str, Any]]
    next: int | None
    version: int
    finished: bool


class FoundDocument(Struct, frozen=True):
    """An event of a match whose sentence holds what was sought."""

    match: UUID
    code: str
    game: str
    version: int
    at: str
    type: str
    text: str


class FoundPage(Struct, frozen=True):
    """What was found; `next` is the cursor where the search goes on, or null. `searched` matches were read for it."""

    results: list[FoundDocument]
    next: str | None
    searched: int


class ResultDocument(Struct, frozen=True):
    """How a finished match went for one player."""

    match: UUID
    game: str
    seat: int
    won: bool
    reason: str
    finished_at: datetime


class ResultPage(Struct, frozen=True):
    """A player's finished matches, newest first; `next` is the cursor of the following page, or null."""

    results: list[ResultDocument]
    next: str | None
