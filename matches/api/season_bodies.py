"""Bodies and queries of requests to the season views."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType, field

from games.kernel import MOST_SEATS
from matches.domain.clocks import SETUP_CLOSES_BEFORE
from matches.http.bodies import ClockBody, Reason, SeatNumber, SetupCloses
from matches.http.body_texts import OPTIONS, PASTED
from matches.seasons.domain.availability import MOST_HOURS, MOST_WINDOWS, Day
from matches.seasons.domain.options import MOST_GARNETS
from matches.seasons.domain.result_rules import ResultRules

Title = Annotated[str, Meta(min_length=1, max_length=120, pattern=r"\S")]
Garnets = Annotated[int, Meta(ge=1, le=MOST_GARNETS)]
Change = Annotated[int, Meta(ge=-MOST_GARNETS, le=MOST_GARNETS)]
StartBalance = Annotated[int, Meta(ge=0, le=MOST_GARNETS)]
Slug = Annotated[str, Meta(max_length=40)]
Instant = Annotated[datetime, Meta(tz=True)]
TimeOfDay = Annotated[str, Meta(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$(?!\n)")]


class SeasonBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A season to open. `options` override the defaults, or the options copied from the season `template`."""

    title: Title
    options: dict[str, Any] = field(default_factory=dict)
    template: UUID | None = None


class ListBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Players to enrol or invite, one a line, as pasted from a spreadsheet, a mail program or a chat. An account's name
    enrols the account. An e-mail address, alone or with a name, makes a joining link for that person, valid until
    `closes_at`. Tabs, semicolons or commas separate cells; a first line of headings names the columns.

    `skip_faulty` leaves lines with a fault out; without it one fault refuses the whole list.
    """

    text: Annotated[str, Meta(max_length=50_000), PASTED]
    closes_at: Instant | None = None
    skip_faulty: bool = False


class DisplayNameBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A player's display name in this season from now on, null for the name of their account, and the reason."""

    name: Annotated[str, Meta(min_length=1, max_length=200, pattern=r"\S")] | None
    reason: Reason


class MatchBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A match to schedule. `clocks` change the game's own by name; null is a match without clocks.

    A game whose set-up takes hours (its document has `unscheduled`) needs `opens_at`, the instant at which the match
    opens by itself; with null play begins as soon as the set-up is done. The set-up closes `setup_closes` seconds
    before `opens_at`, by default an hour, and moves with it.
    """

    game: Slug
    options: Annotated[dict[str, Any], OPTIONS] = field(default_factory=dict)
    clocks: dict[str, ClockBody] | UnsetType | None = UNSET
    opens_at: Instant | UnsetType | None = UNSET
    setup_closes: SetupCloses = SETUP_CLOSES_BEFORE


class MainMatchTableBody(MatchBody, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Fields that all tables of a main match have."""

    contest: Annotated[str, Meta(min_length=1, max_length=80)] | None = None
    results: ResultRules | None = None


class TableBody(MainMatchTableBody, frozen=True, forbid_unknown_fields=True):
    """A table of the main match: its players by seat, and the priority seat. For the game `contest`, `contest` is the
    name of a preset, or the id of a contest in the library, also with a version (`ID@3`); without it the content is in
    the options. With `results` the result of the main match is prepared by these rules, the same for all its tables; a
    contest always has rules, by default that the first place wins and the last loses."""

    players: Annotated[list[UUID], Meta(min_length=1, max_length=MOST_SEATS)] = field(default_factory=list)
    priority: SeatNumber = 0


class SeatingBody(MainMatchTableBody, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Tables of the main match with equal settings: each table's players by seat, the first of whom has the priority
    seat. With `draw` the season's chance seats all other players at the free places of tables of these `sizes`;
    without `sizes` the tables are as equal as possible. `contest` and `results` as for
    one table."""

    tables: Annotated[list[Annotated[list[UUID], Meta(max_length=MOST_SEATS)]], Meta(min_length=1, max_length=50)]
    draw: bool = False
    sizes: Annotated[list[Annotated[int, Meta(ge=1, le=MOST_SEATS)]], Meta(min_length=1, max_length=50)] | None = None


class ResultRowBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The result of one player: `place` (1 is the best), `points` or both in their match, neither if they took no part;
    their tokens of life afterwards, null to apply the rules; the garnets that they won, negative for garnets that they
    spent. If both are given, places count."""

    player: UUID
    match: Annotated[str, Meta(max_length=200)] = ""
    place: int | None = None
    points: int | None = None
    tokens: int | None = None
    garnets: int = 0


class ResultTableBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The results of a main match: `rows`, or `text` copied from a spreadsheet or CSV, whose first line names the
    columns player (by name), match, place, points, tokens and garnets, in any order."""

    name: Title
    rows: Annotated[list[ResultRowBody], Meta(max_length=500)] | None = None
    text: Annotated[str, Meta(max_length=50_000), PASTED] | None = None


class WindowBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A dated window, from `since` until before `until`, in which the player can play or can't."""

    since: Instant
    until: Instant
    can: bool


class HoursBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Weekly hours in which the player can play, from `since` until before `until`, as HH:MM; an `until` that is no
    later than `since` is on the next day."""

    day: Day
    since: TimeOfDay
    until: TimeOfDay


class AvailabilityBody(Struct, frozen=True, forbid_unknown_fields=True):
    """The times at which a player can play: dated `windows`, and `weekly` hours by the clock of `zone`, a name of the
    IANA time zone database. A window in which they can't overrides one in which they can, and both override the weekly
    hours; outside of weekly hours they can't. Past windows are left out. Two empty lists delete the statement."""

    zone: Annotated[str, Meta(max_length=64)]
    windows: Annotated[list[WindowBody], Meta(max_length=MOST_WINDOWS)] = field(default_factory=list)
    weekly: Annotated[list[HoursBody], Meta(max_length=MOST_HOURS)] = field(default_factory=list)


class SeasonsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Filters of the list of seasons."""

    status: Literal["enrolling", "running", "final", "finished", ""] = ""
    player: UUID | None = None
    cursor: Annotated[str, Meta(max_length=500)] | None = None
    limit: Annotated[int, Meta(ge=1, le=200)] = 50


class MatchTimesQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`at` is one more instant for which to show the availability."""

    at: Instant | None = None


class AtQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`at` is a version of the season, by default the newest."""

    at: Annotated[int, Meta(ge=1, le=2**31 - 1)] | None = None


class EpisodesQuery(AtQuery, frozen=True, forbid_unknown_fields=True):
    """`at` is a version of the season, by default the newest. `episode` is the number of the only one to list."""

    episode: Annotated[int, Meta(ge=1, le=2**31 - 1)] | None = None


class ClaimsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`at` is a version of the season, by default the newest. `match` and `episode` filter the claims."""

    at: Annotated[int, Meta(ge=1, le=2**31 - 1)] | None = None
    match: UUID | None = None
    episode: Annotated[int, Meta(ge=1, le=2**31 - 1)] | None = None


class SeasonEventsQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Events after a version."""

    after: Annotated[int, Meta(ge=0, le=2**31 - 1)] = 0
    limit: Annotated[int, Meta(ge=1, le=500)] = 100


class TryQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """With `dry_run=1` the act is only previewed."""

    dry_run: bool = False
