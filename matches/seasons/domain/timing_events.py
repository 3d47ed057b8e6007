"""Events of a season's times: new times of its matches, check-ins, deadlines of decisions and the draws that end them;
one class for each fact. They are stored for ever. Instants are RFC 3339 in UTC."""

from typing import Literal

from games.kernel import Event, Public

DecisionKind = Literal["token", "candidate", "opponent", "ban"]
Reminder = Literal["first", "last"]
Default = Literal["organiser", "random", "longest", "none"]
Absence = Literal["play", "stand_in", "loss"]
CheckInEnd = Literal["play"]


class TimesProposed(Event, frozen=True):
    """An account's new proposal of times for a match that hasn't begun; it replaces their earlier one."""

    match: Public[str]
    by: Public[str]
    times: Public[tuple[str, ...]]


class TimeAccepted(Event, frozen=True):
    """A player of the match can play at one of the times that were proposed."""

    match: Public[str]
    by: Public[str]
    opens_at: Public[str]


class MatchTimeSet(Event, frozen=True):
    """A match's new time, None if its host starts it. `by` is None if its players have agreed on it; `check_in` is as
    in `death_match_scheduled`."""

    match: Public[str]
    opens_at: Public[str | None]
    by: Public[str | None]
    reason: Public[str]
    check_in: Public[CheckInEnd | None] = None


class PlayerCheckedIn(Event, frozen=True):
    """A player of a match is there."""

    match: Public[str]
    player: Public[str]


class CheckInClosed(Event, frozen=True):
    """The end of a match's check-in. `absent` are the players who haven't checked in."""

    match: Public[str]
    absent: Public[tuple[str, ...]]


class CheckInExtended(Event, frozen=True):
    """An extension of a check-in until an instant, because a player learned too late of its regular end."""

    match: Public[str]
    until: Public[str]


class AbsenceDecided(Event, frozen=True):
    """Decision on a match with an absent player: it is played, a bot stands in, or `loser` has lost it. `by` is None if
    the season's options decided."""

    match: Public[str]
    ruling: Public[Absence]
    loser: Public[str | None]
    by: Public[str | None]
    reason: Public[str]


class DecisionAwaited(Event, frozen=True):
    """A decision that one of these players makes between two instants."""

    decision: Public[DecisionKind]
    episode: Public[int]
    players: Public[tuple[str, ...]]
    since: Public[str]
    until: Public[str]


class DecisionReminded(Event, frozen=True):
    """A reminder of players that their time is running out."""

    decision: Public[DecisionKind]
    players: Public[tuple[str, ...]]
    which: Public[Reminder]
    until: Public[str]


class DecisionExtended(Event, frozen=True):
    """An organiser gives the players longer, or time once more."""

    decision: Public[DecisionKind]
    since: Public[str]
    until: Public[str]
    reason: Public[str]


class DecisionLapsed(Event, frozen=True):
    """End of a decision's time without a decision. The next events follow from `default`; with `organiser` an organiser
    decides, with `none` nothing is decided, as a game need not be banned."""

    decision: Public[DecisionKind]
    players: Public[tuple[str, ...]]
    default: Public[Default]


class ChanceDrawn(Event, frozen=True):
    """The season's draw of this number, from 1: the hash of `link` is the previous link, and the choice can be computed
    from it."""

    number: Public[int]
    link: Public[str]
    choices: Public[tuple[str, ...]]
    chosen: Public[str]


TIMING_EVENTS: tuple[type[Event], ...] = (
    TimesProposed, TimeAccepted, MatchTimeSet, PlayerCheckedIn, CheckInClosed, CheckInExtended,
    AbsenceDecided, DecisionAwaited, DecisionReminded, DecisionExtended, DecisionLapsed, ChanceDrawn,
)  # fmt: skip
