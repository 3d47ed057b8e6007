"""Documents of open seats."""

from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import Struct

from games.kernel import Aids
from matches.reads.documents.match import OpenTo, PlayerDocument, SeatDocument


class SeekDocument(Struct, frozen=True):
    """An open seat that the caller may take: POST /matches/{match}/join with `{"seat": ...}`.

    The other fields are those of the match: `clocks` are times in seconds by name, null without clocks.
    """

    match: UUID
    code: str
    game: str
    title: str
    seat: int
    role: str
    open_to: OpenTo
    opened_by: PlayerDocument
    seats: list[SeatDocument]
    priority: int
    options: dict[str, Any]
    aids: Aids
    clocks: dict[str, Any] | None
    approval: bool
    spectator_delay: int
    opened_at: datetime
    opens_at: datetime | None


class SeekPage(Struct, frozen=True):
    """A page of open seats, the newest first; `next` is the cursor of the following one, or null."""

    results: list[SeekDocument]
    next: str | None
