"""What clients send to the match views: one struct a body or query."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType, field

from games.kernel import Aids
from matches.domain.clocks import SETUP_CLOSES_BEFORE
from matches.domain.events import OfferKind
from matches.domain.offers import MOST_PAUSE_MINUTES
from matches.domain.talk import TalkFor
from matches.http.body_texts import LINES, VERBATIM

Text = Annotated[str, Meta(max_length=500), LINES]
Reason = Annotated[str, Meta(min_length=1, max_length=500, pattern=r"\S"), LINES]
Statement = Annotated[str, Meta(min_length=1, max_length=2000, pattern=r"\S"), LINES]
SeatNumber = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Version = Annotated[int, Meta(ge=1, le=2**31 - 1)]
LONGEST_CLOSED = 7 * 86400
"""Seconds between the end of a set-up and play at most."""
SetupCloses = Annotated[int, Meta(ge=0, le=LONGEST_CLOSED)]
Named = Annotated[str, Meta(max_length=20)]
"""A witness: `seat:N`, `spectator` or `host`."""


CommandBody = Annotated[dict[str, Any], Meta(extra_json_schema={"x-schema": "CommandBody"}), VERBATIM]
"""A command as JSON, or as `{"text": notation}`; the match's game reads it."""


MOST_NAMED = 50
"""For how many accounts a seat may be open."""
OpenTo = Literal["anybody"] | Annotated[list[UUID], Meta(min_length=1, max_length=MOST_NAMED)] | None
"""Who may take an open seat without its invitation: anybody, these accounts, or null for nobody."""


class SeatBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat as its opener wants it: an account's id, `bot`, or null for an invitation.

    An open seat is listed to those it is `open_to`, who take it without the invitation: `anybody`, or accounts by their
    ids; null: it is by the link alone.
    """

    player: Annotated[str, Meta(max_length=40)] | None = None
    role: Annotated[str, Meta(max_length=20)] = ""
    open_to: OpenTo = None

    def __post_init__(self) -> None:
        if self.player is not None and self.open_to is not None:
            raise ValueError("a seat is given to a player or open to somebody, not both")


class ClockBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A clock's times in seconds; what is left out is as the game has it."""

    base: int | UnsetType = UNSET
    reserve: int | UnsetType = UNSET
    increment: int | UnsetType = UNSET


class OpenBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A match to open. `priority` is the seat that holds the choices.

    `clocks` change the game's own by name; null is a match without clocks, by correspondence. With `approval` the
    result counts once a host has approved it. A match that is scheduled for `opens_at` starts by itself; what its game
    sets up before is open until `setup_closes` seconds before, an hour unless told. Without `opens_at` play begins as
    soon as that is done, whoever is there: so Higher or Lower, which is set up for a day, is best scheduled. Spectators
    are told everything `spectator_delay` seconds late. `aids` is what thinks for the players: `none`, `memory` or
    `all`; left out, `all` for one who plays bots alone, else `memory`. `talk` says for whom there is talk, `all` unless
    told; it stands beside the record, and hosts change it by `PUT .../talk`.
    """

    game: Annotated[str, Meta(max_length=40)]
    seats: Annotated[list[SeatBody], Meta(max_length=20)]
    options: dict[str, Any] = field(default_factory=dict)
    priority: int = 0
    clocks: dict[str, ClockBody] | UnsetType | None = UNSET
    approval: bool = False
    opens_at: Annotated[datetime, Meta(tz=True)] | None = None
    setup_closes: SetupCloses = SETUP_CLOSES_BEFORE
    spectator_delay: Annotated[int, Meta(ge=0, le=3600)] = 0
    aids: Aids | UnsetType = UNSET
    talk: TalkFor | UnsetType = UNSET


class JoinBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The invitation to a seat, or the number of a `seat` that is open to the caller. One who already sits at the table
    needs neither."""

    invitation: Annotated[str, Meta(max_length=100), VERBATIM] = ""
    seat: SeatNumber | None = None

    def __post_init__(self) -> None:
        if self.invitation and self.seat is not None:
            raise ValueError("send either an invitation or a seat")


class SeekBody(Struct, frozen=True, forbid_unknown_fields=True):
    """An open seat, and whom it is open to from now on: `anybody`, accounts by their ids, or null for nobody without
    the invitation."""

    seat: SeatNumber
    open_to: OpenTo


class DeclineBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Why the player declines, where they want to say it; stands in the record."""

    reason: Text = ""


class OfferBody(Struct, frozen=True, forbid_unknown_fields=True):
    """What a seat offers the others: to take back its last move, to pause for so many minutes (15 where it doesn't
    say), to go on; or time, which needs no answer."""

    kind: OfferKind
    minutes: Annotated[int, Meta(ge=1, le=MOST_PAUSE_MINUTES)] | None = None


class NonceBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat's own randomness: `commitment` promises it before any promised nonce is shown, and `nonce` shows it then;
    or `nonce` alone gives it in plain.

    A promised nonce is 32 bytes in hex, `commitment` the SHA-256, in hex, of `croupier-nonce-commitment-v1`, a line
    feed, the match's id (16 bytes), the seat's number (4 bytes, big-endian) and the nonce's 32 bytes.
    """

    nonce: Annotated[str, Meta(min_length=1, max_length=128), VERBATIM] | None = None
    commitment: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")] | None = None

    def __post_init__(self) -> None:
        if (self.nonce is None) == (self.commitment is None):
            raise ValueError("send either a nonce or the commitment to one")


class NoteBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Notes, and the marks of the texts that their writer knew before."""

    text: Annotated[str, Meta(max_length=20_000), LINES]
    marks: Annotated[list[Annotated[str, Meta(max_length=20)]], Meta(max_length=20)] = field(
        default_factory=list, name="known"
    )


class ReasonBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Why the host does it; stands in the record."""

    reason: Text = ""


class ExtendBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Time for a seat's running turn, in seconds, and why."""

    seat: int
    seconds: Annotated[int, Meta(ge=1, le=86400 * 30)]
    reason: Reason


class HostBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Why the host does it; stands in the record."""

    reason: Reason


class AdjudicateBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The seats that have won, and why."""

    winners: Annotated[list[SeatNumber], Meta(min_length=1, max_length=20)]
    reason: Reason


class SubstituteBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The seat, who takes it over (an account's id, or `bot`), and why."""

    seat: SeatNumber
    player: Annotated[str, Meta(max_length=40)]
    reason: Reason


class StandInBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The seat, who plays for it until its player is back, and why."""

    seat: SeatNumber
    player: Literal["bot", "dealer"]
    reason: Reason


class StandInEndBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The seat whose player is back, and why."""

    seat: SeatNumber
    reason: Reason


class RewindBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The version from which play continues, and why."""

    to_version: Version
    reason: Reason


class RulingBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The ruling's text."""

    reason: Statement


class AppealBody(Struct, frozen=True, forbid_unknown_fields=True):
    """What the hosts are to look at."""

    kind: Literal["move", "clock", "conduct", "other"]
    text: Statement


class AnswerBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A host's answer to an appeal, and why."""

    decision: Literal["approved", "rejected"]
    reason: Reason


class ListQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which matches to list."""

    status: Literal["waiting", "running", "paused", "finished", "void", ""] = ""
    game: Annotated[str, Meta(max_length=40)] = ""
    player: UUID | None = None
    season: UUID | None = None
    needs_me: bool = False
    cursor: Annotated[str, Meta(max_length=500)] | None = None
    limit: Annotated[int, Meta(ge=1, le=200)] = 50


class SeekQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Of which game, and which page."""

    game: Annotated[str, Meta(max_length=40)] = ""
    cursor: Annotated[str, Meta(max_length=500)] | None = None
    limit: Annotated[int, Meta(ge=1, le=200)] = 50


class LegalQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """With `sample=1` one legal command is drawn for the seat, from what it knows."""

    sample: bool = False


class ViewQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`at` a version, `as` a witness: `seat:N`, `spectator` or `host`."""

    at: Version | None = None
    as_: Named | None = field(default=None, name="as")


class PictureQuery(ViewQuery, frozen=True):
    """`at` a version, `as` a witness, `theme` the colours."""

    theme: Literal["light", "dark"] = "light"


class PNGQuery(PictureQuery, frozen=True):
    """`at` a version, `as` a witness, `theme` the colours, `width` in pixels."""

    width: Annotated[int, Meta(ge=200, le=1600)] = 800


class EventsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Events after a version; with `wait` the answer is held back, up to that many seconds, until there is one.

    `hash` is that of the event at `after` as the caller was told it, whole or its first digits: where the record holds
    another one there, the caller is told so.
    """

    after: Annotated[int, Meta(ge=0, le=2**31 - 1)] = 0
    hash: Annotated[str, Meta(pattern=r"\A[0-9a-f]{8,64}\Z")] = ""
    limit: Annotated[int, Meta(ge=1, le=500)] = 100
    wait: Annotated[int, Meta(ge=0, le=30)] = 0
    as_: Named | None = field(default=None, name="as")


class CommandQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """With `dry_run=1` the command is tried and nothing happens."""

    dry_run: bool = False
