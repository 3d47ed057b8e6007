"""Documents of a match's events: in pages, and as frames."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from msgspec import UNSET, Struct, UnsetType, field

from matches.reads.documents.match import ClocksDocument, DueDocument, OfferDocument, OutcomeDocument


class HelloDocument(Struct, frozen=True, tag_field="kind", tag="hello"):
    """The first frame of a stream: the whole match at a version. `seat` is null for a spectator.

    `server_now` is the instant to which `clocks` are relative; for spectators with a delay it lies back by the delay.
    """

    id: UUID
    game: str
    witness: str
    seat: int | None
    version: int
    status: Literal["waiting", "running", "paused", "finished", "void"]
    due: DueDocument
    clocks: ClocksDocument | None
    offers: list[OfferDocument]
    outcome: OutcomeDocument | None
    view: dict[str, Any]
    server_now: datetime


class EventsDocument(Struct, frozen=True, tag_field="kind", tag="events"):
    """The events from version `from` to version `to`, both included.

    If they reach the newest version, the frame contains the match as it is then; else `view` is missing and more
    follows.
    """

    from_: int = field(name="from")
    to: int
    events: list[dict[str, Any]]
    status: Literal["waiting", "running", "paused", "finished", "void"]
    due: DueDocument
    clocks: ClocksDocument | None
    offers: list[OfferDocument]
    outcome: OutcomeDocument | None
    server_now: datetime
    view: dict[str, Any] | UnsetType = UNSET


class ResyncDocument(Struct, frozen=True, tag_field="kind", tag="resync"):
    """A notice that what the caller has received is no longer in the match's record: the database was set back to an
    earlier state, or the version that the caller names was never reached. Everything above `version` is void, and what
    is at or below it may differ; the whole match follows.

    `told` is the version that the caller had reached. Of the commands accepted over this connection, those in
    `never_happened`, by their keys, are no longer stored.
    """

    version: int
    last_received: int = field(name="told")
    reason: Literal["history_changed"] = "history_changed"
    never_happened: list[str] = []


class EventPage(Struct, frozen=True):
    """Events in ascending versions. Each has `version`, `at`, `actor`, `type`, `text`, its fields, and the data for
    checking the chain: `hash`, `schema`, `audience`, `digest` and the names of its `secret` fields. If a field of its
    own has one of these names, `own` holds it."""

    results: list[dict[str, Any]]
    next: int | None
    version: int
    finished: bool


class FeedEvent(Struct, frozen=True):
    """An event of one of many matches: `event` is the same as in that match's own events for this `witness`, with
    `version`, `at`, `actor`, `type`, `text` and the rest."""

    match: UUID
    code: str
    game: str
    season: UUID | None
    witness: str
    event: dict[str, Any]


class FeedPage(Struct, frozen=True):
    """Events of all matches in one order. `next` is always present: it is the `after` of the next page, at once if
    `more` is true, else once something has happened. A page may be short, even empty, and have `more`."""

    results: list[FeedEvent]
    next: str
    more: bool
