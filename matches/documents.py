"""The shapes of what the doors answer: one struct a document, from which the API's schema is made too."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from msgspec import UNSET, Struct, UnsetType, field


class PromptDocument(Struct, frozen=True):
    """A seat must answer with one of these commands."""

    seat: int
    commands: list[str]
    turn: str
    clock: str


class DueDocument(Struct, frozen=True):
    """What the match waits for. `amendable` seats have submitted and may still replace what they sent."""

    prompts: list[PromptDocument]
    dealer: bool
    amendable: list[PromptDocument]


class PlayerDocument(Struct, frozen=True):
    """An account, by its id and name."""

    id: UUID
    username: str


class SeatDocument(Struct, frozen=True, omit_defaults=True):
    """A seat: its player is an account, `bot`, or null while it is open.

    `invitation` is told once, to the opener, for each open seat. `stand_in` plays for an absent player.
    """

    seat: int
    player: PlayerDocument | Literal["bot"] | None
    role: str
    stand_in: Literal["bot", "dealer"] | UnsetType = UNSET
    invitation: str | UnsetType = UNSET


class OutcomeDocument(Struct, frozen=True):
    """How the match ended: `ranking` lists groups of equal seats, best first; `score` is by seat.

    `approved` is told where the result of the match counts only once a host has approved it.
    """

    winners: list[int]
    ranking: list[list[int]]
    reason: Literal["played", "resigned", "flag", "adjudicated"]
    score: dict[str, int | str]
    approved: bool | UnsetType = UNSET


class RunningClock(Struct, frozen=True):
    """A seat's time on a turn: the flag falls at `deadline`; null while the clock stands still."""

    seat: int
    clock: str
    turn: str
    deadline: datetime | None
    reserve_left: int


class ClocksDocument(Struct, frozen=True):
    """A match's clocks: `times` in seconds by name, `at_flag` what a fallen flag does, `reserves` by seat."""

    times: dict[str, Any]
    at_flag: dict[str, str]
    reserves: dict[str, list[int]]
    running: list[RunningClock]


class MatchDocument(Struct, frozen=True):
    """A match as the caller witnesses it: `seat:N` for a player, `spectator` for everyone else.

    A scheduled match opens at `opens_at`.
    """

    id: UUID
    code: str
    game: str
    title: str
    status: Literal["waiting", "running", "paused", "finished", "void"]
    version: int
    witness: str
    seats: list[SeatDocument]
    priority: int
    options: dict[str, Any]
    due: DueDocument
    clocks: ClocksDocument | None
    outcome: OutcomeDocument | None
    view: dict[str, Any]
    seed_commitment: str
    seed: str | None
    opened_by: UUID
    opened_at: datetime
    opens_at: datetime | None


class MatchCard(Struct, frozen=True):
    """A match in a list; `needs_me` tells that it waits for the caller."""

    id: UUID
    code: str
    game: str
    title: str
    status: Literal["waiting", "running", "paused", "finished", "void"]
    version: int
    seats: list[SeatDocument]
    needs_me: bool
    opened_at: datetime
    opens_at: datetime | None
    changed_at: datetime
    finished_at: datetime | None


class CallDocument(Struct, frozen=True, tag_field="kind", tag="needed"):
    """A match that has come to need the caller."""

    match: MatchCard


class MatchPage(Struct, frozen=True):
    """A page of matches; `next` is the cursor of the following one, or null."""

    results: list[MatchCard]
    next: str | None


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
    outcome: OutcomeDocument | None
    server_now: datetime
    view: dict[str, Any] | UnsetType = UNSET


class ViewDocument(Struct, frozen=True):
    """The game's state at a version as one witness knew it."""

    id: UUID
    version: int
    witness: str
    due: DueDocument
    outcome: OutcomeDocument | None
    view: dict[str, Any]


class LegalDocument(Struct, frozen=True):
    """The legal commands of the caller's seat; `text` holds the same in notation. `complete` is false where the
    list was cut."""

    version: int
    seat: int
    legal: list[dict[str, Any]]
    text: list[str]
    complete: bool


class EventPage(Struct, frozen=True):
    """Events in ascending versions. Each has `version`, `at`, `actor`, `type`, `text`, its fields, and what the chain
    is checked with: `hash`, `schema`, `audience`, `digest` and the names of its `secret` fields. Where a field of its
    own has one of these names, `own` holds it."""

    results: list[dict[str, Any]]
    next: int | None
    version: int
    finished: bool


class CoverDocument(Struct, frozen=True):
    """The match's hash at a version, in the signed checkpoint of `size` leaves, made at `at`."""

    version: int
    hash: str
    position: int
    size: int
    at: datetime


class AccessDocument(Struct, frozen=True):
    """Who did what to a match's record: an account's id or the house's name; `version` is the event's, if it is one."""

    at: datetime
    by: str
    kind: Literal["truth_viewed", "exported", "archived", "changed"]
    version: int | None
    text: str


class AuditDocument(Struct, frozen=True):
    """The head of a match's chain and what it has promised; `seed` is null until it is revealed.

    `truth_viewed_by` are the accounts of the hosts who looked at the seats' secrets while the match ran. `checkpoints`
    are the newest signed ones that cover the match, `access` tells who looked at the truth, took the record away or
    changed something, newest first.
    """

    version: int
    hash: str
    events: int
    seed_commitment: str
    chance: str
    nonces: list[str | None]
    seed: str | None
    truth_viewed_by: list[UUID]
    verifier_key: str
    checkpoints: list[CoverDocument]
    access: list[AccessDocument]


class ProofDocument(Struct, frozen=True):
    """That a signed checkpoint holds a match's hash: `path` leads from the leaf to the root, as RFC 6962 has it.

    The leaf is `"croupier-head-v1\\n" || match id (16 bytes) || version (8 bytes big-endian) || hash`; hashes are hex.
    """

    version: int
    hash: str
    position: int
    size: int
    root: str
    path: list[str]
    note: str


class MomentDocument(Struct, frozen=True):
    """A match at a version as one witness knew it; `legal` are the seat's commands then, null for others.

    `text` tells the event that led there, `act` the versions of all that came with the next one; null at the end.
    """

    id: UUID
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


class AppealDocument(Struct, frozen=True):
    """What a seat asked the hosts to look at; `decision` and `reason` are null until one of them has answered."""

    number: int
    seat: int
    kind: Literal["move", "clock", "conduct", "other"]
    text: str
    decision: Literal["approved", "rejected"] | None
    reason: str | None


class AppealList(Struct, frozen=True):
    """A match's appeals, oldest first."""

    results: list[AppealDocument]
    next: None


class GameCard(Struct, frozen=True):
    """A game in the catalogue."""

    slug: str
    title: str
    seats: dict[str, int]
    clocks: dict[str, Any]


class GameList(Struct, frozen=True):
    """The catalogue."""

    results: list[GameCard]
    next: None


class GameDocument(Struct, frozen=True):
    """A game: `options`, `commands` and `events` are JSON schemas, `rules` is markdown."""

    slug: str
    title: str
    seats: dict[str, int]
    clocks: dict[str, Any]
    options: dict[str, Any]
    commands: dict[str, Any]
    events: dict[str, Any]
    rules: str


class AcceptedDocument(Struct, frozen=True):
    """What an accepted command brought, as the caller's seat witnesses it."""

    version: int
    events: list[dict[str, Any]]


class LawfulDocument(Struct, frozen=True):
    """The answer to a dry run: the command would be accepted at this version."""

    version: int
    command: dict[str, Any]
    text: str
