"""Request bodies and queries of the match views, one struct each."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType, field

from games.kernel import MOST_SEATS, Aids
from matches.domain.clocks import SETUP_CLOSES_BEFORE
from matches.domain.events import OfferKind
from matches.domain.offers import MOST_PAUSE_MINUTES
from matches.domain.talk import TalkFor
from matches.http.body_texts import LINES, OPTIONS, VERBATIM

Text = Annotated[str, Meta(max_length=500), LINES]
Reason = Annotated[str, Meta(min_length=1, max_length=500, pattern=r"\S"), LINES]
Statement = Annotated[str, Meta(min_length=1, max_length=2000, pattern=r"\S"), LINES]
SeatNumber = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Version = Annotated[int, Meta(ge=1, le=2**31 - 1)]
LONGEST_CLOSED = 7 * 86400
"""The longest time between the end of a set-up and the start of play, in seconds."""
SetupCloses = Annotated[int, Meta(ge=0, le=LONGEST_CLOSED)]
Named = Annotated[str, Meta(max_length=20)]
"""A witness: `seat:N`, `spectator` or `host`."""


CommandBody = Annotated[dict[str, Any], Meta(extra_json_schema={"x-schema": "CommandBody"}), VERBATIM]
"""A command as JSON, or as `{"text": notation}`; the match's game reads it."""


MOST_NAMED = 50
"""A seat may be open to at most so many named accounts."""
OpenTo = Literal["anybody"] | Annotated[list[UUID], Meta(min_length=1, max_length=MOST_NAMED)] | None
"""The audience of an open seat, who may take it without an invitation: anybody, these accounts, or null for nobody."""


class SeatBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat of a new match: an account's id, `bot`, or null for an invitation.

    An open seat is listed to those in `open_to`, who may take it without an invitation: `anybody`, or accounts by their
    ids; with null only the link opens it.
    """

    player: Annotated[str, Meta(max_length=40)] | None = None
    role: Annotated[str, Meta(max_length=20)] = ""
    open_to: OpenTo = None

    def __post_init__(self) -> None:
        if self.player is not None and self.open_to is not None:
            raise ValueError("a seat is given to a player or open to somebody, not both")


class ClockBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A clock's times in seconds; the game's own for those left out."""

    base: int | UnsetType = UNSET
    reserve: int | UnsetType = UNSET
    increment: int | UnsetType = UNSET


class OpenBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A match to open. `priority` is the seat that holds the choices.

    `clocks` change the game's own by name; null is a match without clocks, by correspondence. With `approval` the
    result counts once a host has approved it. A match with `opens_at` starts by itself; its set-up is open until
    `setup_closes` seconds before, by default an hour. Without `opens_at` play begins as soon as the set-up is done,
    whoever is there: so Higher or Lower, which is set up for a day, is best scheduled. Spectators see everything
    `spectator_delay` seconds late. `aids` are the players' aids: `none`, `memory` or `all`; by default `all` for a
    player against bots only, else `memory`. `talk` says who may talk, by default `all`; it is not in the record, and
    hosts change it by `PUT .../talk`.
    """

    game: Annotated[str, Meta(max_length=40)]
    seats: Annotated[list[SeatBody], Meta(max_length=MOST_SEATS)]
    options: Annotated[dict[str, Any], OPTIONS] = field(default_factory=dict)
    priority: int = 0
    clocks: dict[str, ClockBody] | UnsetType | None = UNSET
    approval: bool = False
    opens_at: Annotated[datetime, Meta(tz=True)] | None = None
    setup_closes: SetupCloses = SETUP_CLOSES_BEFORE
    spectator_delay: Annotated[int, Meta(ge=0, le=3600)] = 0
    aids: Aids | UnsetType = UNSET
    talk: TalkFor | UnsetType = UNSET


class JoinBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The invitation to a seat, or the number of a `seat` that is open to the caller. A caller who already sits at the
    table needs neither."""

    invitation: Annotated[str, Meta(max_length=100), VERBATIM] = ""
    seat: SeatNumber | None = None

    def __post_init__(self) -> None:
        if self.invitation and self.seat is not None:
            raise ValueError("send either an invitation or a seat")


class SeekBody(Struct, frozen=True, forbid_unknown_fields=True):
    """An open seat, and its new audience: `anybody`, accounts by their ids, or null for nobody without
    the invitation."""

    seat: SeatNumber
    open_to: OpenTo


class DeclineBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The player's reason for declining, which may be empty; it is part of the record."""

    reason: Text = ""


class OfferBody(Struct, frozen=True, forbid_unknown_fields=True):
    """An offer of a seat to the others: to take back its last move, to pause for so many minutes (by default 15), to
    resume; or time, which needs no answer."""

    kind: OfferKind
    minutes: Annotated[int, Meta(ge=1, le=MOST_PAUSE_MINUTES)] | None = None


class NonceBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat's own randomness: `commitment` before any committed nonce is shown, later the `nonce` itself; or only
    `nonce`, in plain.

    A committed nonce is 32 bytes in hex, `commitment` the SHA-256, in hex, of `croupier-nonce-commitment-v1`, a line
    feed, the match's id (16 bytes), the seat's number (4 bytes, big-endian) and the nonce's 32 bytes.
    """

    nonce: Annotated[str, Meta(min_length=1, max_length=128), VERBATIM] | None = None
    commitment: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$(?!\n)")] | None = None

    def __post_init__(self) -> None:
        if (self.nonce is None) == (self.commitment is None):
            raise ValueError("send either a nonce or the commitment to one")


class NoteBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Notes, and the marks of the texts that their author had read before."""

    text: Annotated[str, Meta(max_length=20_000), LINES]
    marks: Annotated[list[Annotated[str, Meta(max_length=20)]], Meta(max_length=20)] = field(
        default_factory=list, name="known"
    )


class HostBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The host's reason; it is part of the record."""

    reason: Reason


class AppealBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A request that the hosts look at something."""

    kind: Literal["move", "clock", "conduct", "other"]
    text: Statement


class ListQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Filters for the list of matches."""

    status: Literal["waiting", "running", "paused", "finished", "void", ""] = ""
    game: Annotated[str, Meta(max_length=40)] = ""
    player: UUID | None = None
    season: UUID | None = None
    needs_me: bool = False
    cursor: Annotated[str, Meta(max_length=500)] | None = None
    limit: Annotated[int, Meta(ge=1, le=200)] = 50


class SeekQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The game, and the page."""

    game: Annotated[str, Meta(max_length=40)] = ""
    cursor: Annotated[str, Meta(max_length=500)] | None = None
    limit: Annotated[int, Meta(ge=1, le=200)] = 50


class LegalQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """With `sample=1` one legal command is drawn for the seat, from what it knows. `as=host` is what a host of the
    match may do; without it, so is the response for a host without a seat."""

    sample: bool = False
    as_: Literal["host"] | None = field(default=None, name="as")


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
    """Events after a version; with `wait` the response is delayed, up to that many seconds, until there is one.

    `hash` is the hash of the event at `after` as the caller received it, whole or its first digits. If the record holds
    another event there, the response says so.
    """

    after: Annotated[int, Meta(ge=0, le=2**31 - 1)] = 0
    hash: Annotated[str, Meta(pattern=r"^[0-9a-f]{8,64}$(?!\n)")] = ""
    limit: Annotated[int, Meta(ge=1, le=500)] = 100
    wait: Annotated[int, Meta(ge=0, le=30)] = 0
    as_: Named | None = field(default=None, name="as")


class CommandQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """With `dry_run=1` the command is only checked."""

    dry_run: bool = False
