"""Documents of a match's past: moments, changes, search results, players' results."""

from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import Struct, field

from matches.reads.documents.match import ClocksDocument, DueDocument, LegalDocument, OutcomeDocument


class MomentDocument(Struct, frozen=True):
    """A match at a version as one witness knew it; `legal` are the seat's commands then, null for others.

    `text` is the sentence of the event at this version, `act` the versions of the next act's events; null at the end.
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
    """A changed part of the view: `path` are its names and indexes; null if there was or is none."""

    path: list[str | int]
    before: Any
    after: Any


class DiffDocument(Struct, frozen=True):
    """The changes in a witness's view between two versions; `complete` is false if the list was cut."""

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
    """An event of a match whose sentence contains the text searched for."""

    match: UUID
    code: str
    game: str
    version: int
    at: str
    type: str
    text: str


class FoundPage(Struct, frozen=True):
    """The events found; `next` is the cursor for continuing the search, or null. `searched` matches were
    read for it."""

    results: list[FoundDocument]
    next: str | None
    searched: int


class ResultDocument(Struct, frozen=True):
    """A player's result in a finished match."""

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
