"""Documents of a match: its seats, what it waits for, its clocks, its outcome, its appeals; and lists of matches."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType, field

from games.kernel import Aids
from matches.domain.events import OfferKind

GameCommand = Annotated[dict[str, Any], Meta(extra_json_schema={"x-schema": "GameCommand"})]
"""A command of one of the games; the catalogue has their schemas."""
TemplateDocument = Annotated[dict[str, Any], Meta(extra_json_schema={"x-schema": "Template"})]
"""A template of one of the games."""

OpenTo = Literal["anybody", "named"]
"""The audience of an open seat, who may take it without an invitation."""


class PromptDocument(Struct, frozen=True):
    """A seat must answer with one of these commands."""

    seat: int
    commands: list[str]
    turn: str
    clock: str


class HostPromptDocument(Struct, frozen=True):
    """The host's commands: the match waits for one of `commands`, if there are any, and the host may give one of
    `optional` unasked. `turn` and `clock` are null if nothing waits for the host."""

    commands: list[str]
    optional: list[str]
    turn: str | None
    clock: str | None


class DueDocument(Struct, frozen=True):
    """Prompts that the match waits for. `amendable` seats have submitted and may still replace what they sent. `host`
    is included if the host may do something now."""

    prompts: list[PromptDocument]
    dealer: bool
    amendable: list[PromptDocument]
    host: HostPromptDocument | UnsetType = UNSET


class PlayerDocument(Struct, frozen=True):
    """An account, by its id and name; `portrait` is the address of its picture, from the root of this host."""

    id: UUID
    username: str
    portrait: str


class SeatDocument(Struct, frozen=True, omit_defaults=True):
    """A seat: its player is an account, `bot`, or null while it is open.

    `invitation` is included once, for the opener, for each open seat. `stand_in` plays for an absent player. `accepted`
    is included, as false, for a person who has yet to accept the seat before anything counts. `open_to` is included for
    an open seat that may be taken without an invitation: by anybody, or by those whom its opener has named.
    """

    seat: int
    player: PlayerDocument | Literal["bot"] | None
    role: str
    stand_in: Literal["bot", "dealer"] | UnsetType = UNSET
    accepted: bool | UnsetType = UNSET
    invitation: str | UnsetType = UNSET
    open_to: OpenTo | UnsetType = UNSET


class OutcomeDocument(Struct, frozen=True):
    """The end of the match: `ranking` lists groups of equal seats, best first; `score` is by seat.

    `approved` is included if the result counts only once a host has approved it; `counts` is included, as false, if it
    counts for nobody, now or later.
    """

    winners: list[int]
    ranking: list[list[int]]
    reason: Literal["played", "resigned", "flag", "adjudicated"]
    score: dict[str, int | str]
    approved: bool | UnsetType = UNSET
    counts: bool | UnsetType = UNSET


class RunningClock(Struct, frozen=True):
    """A seat's time on a turn: the flag falls at `deadline`; null while the clock is stopped."""

    seat: int
    clock: str
    turn: str
    deadline: datetime | None
    reserve_left: int


class HostClock(Struct, frozen=True):
    """The host's time on a turn: the flag falls at `deadline`; null while the clock is stopped."""

    clock: str
    turn: str
    deadline: datetime | None


class ClocksDocument(Struct, frozen=True):
    """A match's clocks: `times` in seconds by name, `at_flag` what a fallen flag does, `reserves` by seat. `host` is
    included while the match waits for its host."""

    times: dict[str, Any]
    at_flag: dict[str, str]
    reserves: dict[str, list[int]]
    running: list[RunningClock]
    host: HostClock | UnsetType = UNSET


class NonceDocument(Struct, frozen=True):
    """A seat's contribution to the draws: `commitment` is null for a plain nonce, `nonce` until it is shown."""

    seat: int
    commitment: str | None
    nonce: str | None
    left_out: bool


class NoncesDocument(Struct, frozen=True):
    """The seats' own randomness. `step` says what the match accepts: `give` nonces and commitments, `show` committed
    nonces (after the start is called, until `until`), `done` nothing any more. `told` says who could have chosen the
    draws."""

    step: Literal["give", "show", "done"]
    until: datetime | None
    seats: list[NonceDocument]
    fairness: str = field(name="told")


class OfferDocument(Struct, frozen=True):
    """An offer of a seat to the others: `accepted` are the seats that have accepted it, `awaited` those that have yet
    to answer.

    A takeback leads to the position of `to_version`, with new draws after it. Nobody forgets by it: `learnt` are the
    seats that have seen something alone since. A pause lasts `minutes`.
    """

    number: int
    seat: int
    kind: OfferKind
    accepted: list[int]
    awaited: list[int]
    to_version: int | None
    learnt: list[int]
    minutes: int | None


class OfferList(Struct, frozen=True):
    """The open offers of a match, oldest first. `pause_ends` is the instant from which any seat may resume alone a
    match that its seats have agreed to pause; null without such a pause."""

    results: list[OfferDocument]
    pause_ends: datetime | None
    next: None


class MatchDocument(Struct, frozen=True):
    """A match as the caller witnesses it: `seat:N` for a player, `spectator` for everyone else.

    A scheduled match opens at `opens_at`, and its set-up closes `setup_closes` seconds before. `hash` is that of the
    event at `version`. `aids` are the players' aids: `none`, `memory` (what a seat has seen before is shown again) or
    `all` (also what can be computed). `offers` are the open ones.
    """

    id: UUID
    code: str
    game: str
    title: str
    status: Literal["waiting", "running", "paused", "finished", "void"]
    version: int
    hash: str
    witness: str
    seats: list[SeatDocument]
    priority: int
    options: dict[str, Any]
    aids: Aids
    due: DueDocument
    clocks: ClocksDocument | None
    offers: list[OfferDocument]
    outcome: OutcomeDocument | None
    view: dict[str, Any]
    seed_commitment: str
    seed: str | None
    nonces: NoncesDocument
    opened_by: UUID
    opened_at: datetime
    opens_at: datetime | None
    setup_closes: int


class MatchCard(Struct, frozen=True):
    """A match in a list; `needs_me` is true if it waits for the caller."""

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
    """A match that has begun to wait for the caller."""

    match: MatchCard


class MatchPage(Struct, frozen=True):
    """A page of matches; `next` is the cursor of the following one, or null."""

    results: list[MatchCard]
    next: str | None


class ViewDocument(Struct, frozen=True):
    """The game's state at a version as one witness knew it."""

    id: UUID
    game: str
    version: int
    witness: str
    due: DueDocument
    outcome: OutcomeDocument | None
    view: dict[str, Any]


class LegalDocument(Struct, frozen=True):
    """The legal commands of the caller's seat, or of the host, for whom `seat` is null; `text` holds the same in
    notation. `complete` is false if the list was cut, or if a command that `due` names has too many variants to list:
    then `template` says what that command may hold, by the rules, what is public and what the seat holds.

    `sample`, if requested, is one legal command, drawn from what the seat knows; null if the match doesn't wait for the
    seat.
    """

    version: int
    seat: int | None
    legal: list[GameCommand]
    text: list[str]
    complete: bool
    template: TemplateDocument | None = None
    sample: GameCommand | UnsetType | None = UNSET


class AppealDocument(Struct, frozen=True):
    """A seat's request that the hosts look at something; `decision` and `reason` are null until one of them has
    answered."""

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


class ReminderDocument(Struct, frozen=True):
    """The seats for which the match waits, by what has become of a reminder: it is on its way (`reached`), the last one
    is less than ten minutes old (`recent`), or no notification reaches whoever moves there (`unreached`)."""

    reached: list[int]
    recent: list[int]
    unreached: list[int]


class AcceptedDocument(Struct, frozen=True):
    """The events of an accepted command, as the caller's seat witnesses them."""

    version: int
    events: list[dict[str, Any]]


class LawfulDocument(Struct, frozen=True):
    """The response to a dry run: the command would be accepted at this version."""

    version: int
    command: GameCommand
    text: str
