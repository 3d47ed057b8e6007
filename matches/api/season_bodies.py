"""What clients send to the season views: one struct a body or query."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType, field

from matches.domain.clocks import SETUP_CLOSES_BEFORE
from matches.http.bodies import ClockBody, Reason, SeatNumber, SetupCloses
from matches.http.body_texts import PASTED
from matches.seasons.domain.availability import MOST_HOURS, MOST_WINDOWS, Day
from matches.seasons.domain.options import MOST_GARNETS

Title = Annotated[str, Meta(min_length=1, max_length=120, pattern=r"\S")]
Garnets = Annotated[int, Meta(ge=1, le=MOST_GARNETS)]
StartBalance = Annotated[int, Meta(ge=0, le=MOST_GARNETS)]
Slug = Annotated[str, Meta(max_length=40)]
Instant = Annotated[datetime, Meta(tz=True)]
TimeOfDay = Annotated[str, Meta(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")]


class SeasonBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A season to open. `options` change the defaults, or those of `template`, a season whose options are copied."""

    title: Title
    options: dict[str, Any] = field(default_factory=dict)
    template: UUID | None = None


class ListBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A player to be, as pasted from a spreadsheet, a mail program or a chat: an account's name, who is enrolled; or an
    e-mail address, with a name or alone, who is invited by a link of their own, good until `closes_at`. Cells are
    divided by tabs, semicolons or commas; a first line of headings says which are read.

    With `skip_faulty` the lines with a fault are left out; else nothing is done where one has any.
    """

    text: Annotated[str, Meta(max_length=50_000), PASTED]
    closes_at: Instant | None = None
    skip_faulty: bool = False


class DisplayNameBody(Struct, frozen=True, forbid_unknown_fields=True):
    """What the player is called in this season from now on, as their account where it is null; and why."""

    name: Annotated[str, Meta(min_length=1, max_length=200, pattern=r"\S")] | None
    reason: Reason


class MatchBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A match to schedule. `clocks` change the game's own by name; null is a match without clocks.

    A game whose set-up takes hours (its document's `unscheduled` says so) needs `opens_at`, the instant at which the
    match opens by itself; null says that none is meant, and play begins as soon as the set-up is done. With it the
    set-up is open until `setup_closes` seconds before, an hour unless told; both move with the match's time.
    """

    game: Slug
    options: dict[str, Any] = field(default_factory=dict)
    clocks: dict[str, ClockBody] | UnsetType | None = UNSET
    opens_at: Instant | UnsetType | None = UNSET
    setup_closes: SetupCloses = SETUP_CLOSES_BEFORE


class TableBody(MatchBody, frozen=True, forbid_unknown_fields=True):
    """A table of the main match: its players by seat, and the seat that holds the priority."""

    players: Annotated[list[UUID], Meta(min_length=1, max_length=20)] = field(default_factory=list)
    priority: SeatNumber = 0


class SeatingBody(MatchBody, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Tables of the main match, alike but for who sits there: each table's players by seat, the first of whom holds the
    priority. With `draw` everybody who sits nowhere is drawn, from the season's chance, to the places that are left at
    tables of these `sizes`; without, as even as can be."""

    tables: Annotated[list[Annotated[list[UUID], Meta(max_length=20)]], Meta(min_length=1, max_length=50)]
    draw: bool = False
    sizes: Annotated[list[Annotated[int, Meta(ge=1, le=20)]], Meta(min_length=1, max_length=50)] | None = None


class ResultRowBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The result of one player: the `place` (1 is the best), the `points` or both in their match, neither where they
    took no part; the tokens of life that they have then, null for what the rules say; the garnets that they won,
    negative for those that they spent. With both, places count."""

    player: UUID
    match: Annotated[str, Meta(max_length=200)] = ""
    place: int | None = None
    points: int | None = None
    tokens: int | None = None
    garnets: int = 0


class ResultTableBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A main match's results: `rows`, or the same as `text`, copied from a spreadsheet or CSV, whose first line names
    the columns player (by name), match, place, points, tokens and garnets, in any order."""

    name: Title
    rows: Annotated[list[ResultRowBody], Meta(max_length=500)] | None = None
    text: Annotated[str, Meta(max_length=50_000), PASTED] | None = None


class WindowBody(Struct, frozen=True, forbid_unknown_fields=True):
    """From `since` until before `until` one can play, or can't."""

    since: Instant
    until: Instant
    can: bool


class HoursBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Each week on this day one can play from `since` until before `until`, as HH:MM; on to the next day where that is
    no later."""

    day: Day
    since: TimeOfDay
    until: TimeOfDay


class AvailabilityBody(Struct, frozen=True, forbid_unknown_fields=True):
    """When one can play: dated `windows`, and `weekly` hours by the clock of `zone`, a name of the IANA time zone
    database. A window in which one can't goes before one in which one can, and both before the weekly hours; outside of
    weekly hours one can't. Windows that are over are left out. Nothing of both takes back what was said."""

    zone: Annotated[str, Meta(max_length=64)]
    windows: Annotated[list[WindowBody], Meta(max_length=MOST_WINDOWS)] = field(default_factory=list)
    weekly: Annotated[list[HoursBody], Meta(max_length=MOST_HOURS)] = field(default_factory=list)


class SeasonsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which seasons to list."""

    status: Literal["enrolling", "running", "final", "finished", ""] = ""
    player: UUID | None = None
    cursor: Annotated[str, Meta(max_length=500)] | None = None
    limit: Annotated[int, Meta(ge=1, le=200)] = 50


class MatchTimesQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`at` an instant to ask about besides."""

    at: Instant | None = None


class AtQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`at` a version of the season; its newest without one."""

    at: Annotated[int, Meta(ge=1, le=2**31 - 1)] | None = None


class ClaimsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`at` a version of the season; its newest without one. `match` and `episode` narrow the claims."""

    at: Annotated[int, Meta(ge=1, le=2**31 - 1)] | None = None
    match: UUID | None = None
    episode: Annotated[int, Meta(ge=1, le=2**31 - 1)] | None = None


class SeasonEventsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Events after a version."""

    after: Annotated[int, Meta(ge=0, le=2**31 - 1)] = 0
    limit: Annotated[int, Meta(ge=1, le=500)] = 100


class TryQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """With `dry_run=1` the act is tried and nothing happens."""

    dry_run: bool = False
