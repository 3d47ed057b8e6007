"""What happens in a match, as it is told: in pages, and to those who watch."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from msgspec import UNSET, Struct, UnsetType, field

from matches.reads.documents.match import ClocksDocument, DueDocument, OfferDocument, OutcomeDocument


class HelloDocument(Struct, frozen=True, tag_field="kind", tag="hello"):
    """The first thing that a stream tells: the whole match at a version. `seat` is null for a spectator.

    `server_now` is the instant that `clocks` are to be read against; where spectators are told everything late, theirs
    lies as far back.
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
    """What has happened from version `from` to version `to`, both included.

    Where it reaches the newest version it tells the match as it stands then; else `view` is missing and more follows.
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
    """What the caller was told is no longer in the match's record: the house was set back to an earlier state, or the
    version that the caller names was never reached. Everything above `version` is void, and what is at or below it may
    be another; the match is told anew right after.

    `told` is the version up to which the caller had been told. Of the commands accepted over this connection, those
    in `never_happened`, by their keys, are no longer stored.
    """

    version: int
    last_received: int = field(name="told")
    reason: Literal["history_changed"] = "history_changed"
    never_happened: list[str] = []


class EventPage(Struct, frozen=True):
    """Events in ascending versions. Each has `version`, `at`, `actor`, `type`, `text`, its fields, and what the chain
    is checked with: `hash`, `schema`, `audience`, `digest` and the names of its `secret` fields. Where a field of its
    own has one of these names, `own` holds it."""

    results: list[dict[str, Any]]
    next: int | None
    version: int
    finished: bool


class FeedEvent(Struct, frozen=True):
    """An event of one of many matches: `event` is as that match's own events tell it to this `witness`, with `version`,
    `at`, `actor`, `type`, `text` and the rest."""

    match: UUID
    code: str
    game: str
    season: UUID | None
    witness: str
    event: dict[str, Any]


class FeedPage(Struct, frozen=True):
    """Events of all matches in one order. `next` is always there: it is the `after` of the next page, now where there
    is `more`, and else once something has happened. A page may be short, even empty, and have `more`."""

    results: list[FeedEvent]
    next: str
    more: bool
