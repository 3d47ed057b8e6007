"""Events of a season: one class for each fact. They are stored for ever, and name accounts and matches by their ids."""

from typing import Any, Literal

from msgspec import Struct, field

from games.kernel import DefaultedEvent, Event, Public
from matches.domain.clocks import SETUP_CLOSES_BEFORE, ClockTimes
from matches.seasons.domain.claim_events import ClaimAnswered as ClaimAnswered
from matches.seasons.domain.claim_events import ClaimMade as ClaimMade
from matches.seasons.domain.claim_events import ClaimWithdrawn as ClaimWithdrawn
from matches.seasons.domain.contests import PlayedContest
from matches.seasons.domain.intake_events import INTAKE_EVENTS as INTAKE_EVENTS
from matches.seasons.domain.intake_events import ApplicationDeclined as ApplicationDeclined
from matches.seasons.domain.intake_events import ApplicationWithdrawn as ApplicationWithdrawn
from matches.seasons.domain.intake_events import JoiningOpened as JoiningOpened
from matches.seasons.domain.intake_events import JoiningRevoked as JoiningRevoked
from matches.seasons.domain.intake_events import OptionsChanged as OptionsChanged
from matches.seasons.domain.intake_events import PlayerApplied as PlayerApplied
from matches.seasons.domain.intake_events import PlayerJoinedLate as PlayerJoinedLate
from matches.seasons.domain.intake_events import PlayerRenamed as PlayerRenamed
from matches.seasons.domain.intake_events import PlayerReturned as PlayerReturned
from matches.seasons.domain.options import SeasonOptions
from matches.seasons.domain.result_rules import ResultRules, Score
from matches.seasons.domain.seating_events import SEATING_EVENTS as SEATING_EVENTS
from matches.seasons.domain.seating_events import SeatingAsked as SeatingAsked
from matches.seasons.domain.seating_events import SeatingDrawn as SeatingDrawn
from matches.seasons.domain.timing_events import TIMING_EVENTS as TIMING_EVENTS
from matches.seasons.domain.timing_events import AbsenceDecided as AbsenceDecided
from matches.seasons.domain.timing_events import ChanceDrawn as ChanceDrawn
from matches.seasons.domain.timing_events import CheckInClosed as CheckInClosed
from matches.seasons.domain.timing_events import CheckInEnd as CheckInEnd
from matches.seasons.domain.timing_events import CheckInExtended as CheckInExtended
from matches.seasons.domain.timing_events import DecisionAwaited as DecisionAwaited
from matches.seasons.domain.timing_events import DecisionExtended as DecisionExtended
from matches.seasons.domain.timing_events import DecisionLapsed as DecisionLapsed
from matches.seasons.domain.timing_events import DecisionReminded as DecisionReminded
from matches.seasons.domain.timing_events import MatchTimeSet as MatchTimeSet
from matches.seasons.domain.timing_events import PlayerCheckedIn as PlayerCheckedIn
from matches.seasons.domain.timing_events import TimeAccepted as TimeAccepted
from matches.seasons.domain.timing_events import TimesProposed as TimesProposed

Role = Literal["organiser", "host", "auditor"]
Cause = Literal["start", "reward", "transfer", "award", "fine", "confiscation", "inheritance", "reversal", "contest"]


class SeasonOpened(Event, frozen=True):
    """The season exists; its opener is its first organiser. `template` is the season whose options were copied,
    `chance` the first link of the season's chance; None in a season from before there was any."""

    title: Public[str]
    options: Public[SeasonOptions]
    opened_by: Public[str]
    template: Public[str | None] = None
    chance: Public[str | None] = None


class StaffAppointed(Event, frozen=True):
    """An account has this one role from now on."""

    account: Public[str]
    role: Public[Role]


class StaffDismissed(Event, frozen=True):
    """An account has no role any more."""

    account: Public[str]
    reason: Public[str]


class PlayerEnrolled(Event, frozen=True):
    """A player is in the season."""

    player: Public[str]


class PlayerWithdrew(Event, frozen=True):
    """A player has left the season of their own accord, or was taken out of it by an organiser."""

    player: Public[str]
    reason: Public[str]


class PlayerSubstituted(Event, frozen=True):
    """A new tenure: the newcomer goes on in the leaver's place, whose record stays theirs."""

    leaver: Public[str]
    newcomer: Public[str]
    reason: Public[str]


class EpisodeOpened(Event, frozen=True):
    """An episode begins; they are numbered from 1."""

    number: Public[int]
    title: Public[str]


class EpisodeClosed(Event, frozen=True):
    """The episode is over; without an elimination only if an organiser said so."""

    number: Public[int]
    reason: Public[str]


class _Scheduled(DefaultedEvent, frozen=True):
    """A match of the season is to be played: all that the house needs to set its table. Clocks and
    `setup_closes` as in `match_opened`. `check_in` says what ends its check-in, if the season has
    one: that play opens; null in older events, where it ends when the set-up begins."""

    match: Public[str]
    episode: Public[int]
    game: Public[str]
    players: Public[tuple[str, ...]]
    priority: Public[int]
    options: Public[dict[str, Any]]
    clocks: Public[dict[str, ClockTimes] | None]
    opens_at: Public[str | None]
    setup_closes: Public[int] = SETUP_CLOSES_BEFORE
    check_in: Public[CheckInEnd | None] = None


class MainMatchScheduled(_Scheduled, frozen=True):
    """A table of the episode's main match. `contest` names the contest that it plays, null for other games. The result
    of the main match is prepared by the rules in `results`, if there are any."""

    contest: Public[PlayedContest | None] = None
    results: Public[ResultRules | None] = None


class DeathMatchScheduled(_Scheduled, frozen=True):
    """EC against DMO."""


class FinalMatchScheduled(_Scheduled, frozen=True):
    """The next match of the final."""


class MainMatchFinished(Event, frozen=True):
    """A table of the main match is over: `ranking` lists groups of equal players, best first. `scores` are by seat, if
    rules prepare the result."""

    match: Public[str]
    ranking: Public[tuple[tuple[str, ...], ...]]
    scores: Public[tuple[Score, ...]] = ()


class DeathMatchFinished(Event, frozen=True):
    """The death match is over."""

    match: Public[str]
    winner: Public[str]
    loser: Public[str]


class FinalMatchFinished(Event, frozen=True):
    """A match of the final is over."""

    match: Public[str]
    winner: Public[str]
    loser: Public[str]


class MatchAnnulled(Event, frozen=True):
    """A match of the season doesn't count; another one may take its place."""

    match: Public[str]
    reason: Public[str]


class ResultApproved(Event, frozen=True):
    """A result takes effect; `by` is the organiser, None where the season takes results as they come."""

    match: Public[str]
    by: Public[str | None]


class ResultCorrected(Event, frozen=True):
    """An organiser has found another winner than the one reported."""

    match: Public[str]
    winner: Public[str]
    loser: Public[str]
    reason: Public[str]


class Placed(Struct, frozen=True):
    """A player's place in a match of the main match, 1 for the best, and their `points` if they were counted."""

    player: str
    match: str
    place: int
    points: int | None = None


class MainMatchRecorded(Event, frozen=True):
    """The main match's result: who won, and among whom the EC is found. `matches` are its tables, none if typed in;
    `places` are everybody's where they were entered as a table, match by match and the best first."""

    name: Public[str]
    matches: Public[tuple[str, ...]]
    winners: Public[tuple[str, ...]]
    candidates: Public[tuple[str, ...]]
    places: Public[tuple[Placed, ...]] = ()


class TokenGranted(Event, frozen=True):
    """A token of life; `by` is the player who gave one of theirs away, None for the season itself."""

    player: Public[str]
    by: Public[str | None]


class CandidateNamed(Event, frozen=True):
    """The EC is known; `by` is None where only one player was left to be it, or nobody chose in time."""

    player: Public[str]
    by: Public[str | None]


class OpponentNamed(Event, frozen=True):
    """The DMO is known; `by` is None where nobody chose in time."""

    player: Public[str]
    by: Public[str | None]


class GameBanned(Event, frozen=True):
    """EC or DMO has struck a game from this death match's pool."""

    player: Public[str]
    game: Public[str]


class GarnetsMoved(Event, frozen=True):
    """Garnets change hands; None on one side is the season itself, where they come from and go to.

    `match` is the one whose result moved them.
    """

    source: Public[str | None] = field(name="from")
    target: Public[str | None] = field(name="to")
    amount: Public[int]
    cause: Public[Cause]
    reason: Public[str]
    match: Public[str | None] = None


class PlayerEliminated(Event, frozen=True):
    """A player is out by losing a match; `episode` is 0 in the final."""

    player: Public[str]
    episode: Public[int]
    match: Public[str]


class PlayerReinstated(Event, frozen=True):
    """A correction brings an eliminated player back."""

    player: Public[str]
    reason: Public[str]


class MainMatchCorrected(Event, frozen=True):
    """The main match of an episode had another result: who won, among whom the EC was found, and all its rewards; with
    `changes` also what each player gained or lost of the garnets that were at stake."""

    episode: Public[int]
    winners: Public[tuple[str, ...]]
    candidates: Public[tuple[str, ...]]
    rewards: Public[dict[str, int]]
    reason: Public[str]
    changes: Public[dict[str, int] | None] = None


class TokensCorrected(Event, frozen=True):
    """The tokens of life of an episode as they should have been; `given` is the giver and receiver of a second one,
    `giving` who has yet to give it away."""

    episode: Public[int]
    tokens: Public[dict[str, int]]
    given: Public[tuple[str, str] | None]
    giving: Public[str | None]
    reason: Public[str]


class PairCorrected(Event, frozen=True):
    """EC, DMO and struck games of an episode as they should have been; None where somebody is yet to be named, or was
    named wrongly and nobody else was in an episode that is over."""

    episode: Public[int]
    candidate: Public[str | None]
    opponent: Public[str | None]
    bans: Public[tuple[tuple[str, str], ...]]
    reason: Public[str]


class EliminationReversed(Event, frozen=True):
    """A player is back, as the death match that they lost no longer counts: who left later is a place further down."""

    player: Public[str]
    episode: Public[int]
    reason: Public[str]


class EpisodeReopened(Event, frozen=True):
    """The latest episode goes on, as what had ended it no longer counts."""

    number: Public[int]
    reason: Public[str]


class GarnetsShort(Event, frozen=True):
    """Garnets that a correction would have taken from a player are spent, and stay where they are; nothing moves."""

    player: Public[str]
    amount: Public[int]
    reason: Public[str]
    match: Public[str | None] = None


class MatchForfeited(Event, frozen=True):
    """A player has left with a death match or a match of the final still to be played: the other one has won it."""

    match: Public[str]
    player: Public[str]
    reason: Public[str]


class RulingPosted(Event, frozen=True):
    """A host or organiser says how a rule is meant, for all to read; of a match, or of the season."""

    text: Public[str]
    match: Public[str | None] = None


class MatchReopened(Event, frozen=True):
    """A match whose result doesn't count yet is played on from an earlier version of its record; the result falls."""

    match: Public[str]
    to_version: Public[int]
    reason: Public[str]


class FinalOpened(Event, frozen=True):
    """The last two play for the season."""

    players: Public[tuple[str, str]]
    best_of: Public[int]


class SeasonFinished(Event, frozen=True):
    """The season has a champion."""

    champion: Public[str]


class SeasonReopened(Event, frozen=True):
    """The season has no champion any more: a match of its final that counted had another result, or none."""

    reason: Public[str]


Scheduled = MainMatchScheduled | DeathMatchScheduled | FinalMatchScheduled
Finished = DeathMatchFinished | FinalMatchFinished

EVENTS: tuple[type[Event], ...] = (
    SeasonOpened, StaffAppointed, StaffDismissed, PlayerEnrolled, PlayerWithdrew, PlayerSubstituted, EpisodeOpened,
    EpisodeClosed, MainMatchScheduled, DeathMatchScheduled, FinalMatchScheduled, MainMatchFinished,
    DeathMatchFinished, FinalMatchFinished, MatchAnnulled, ResultApproved, ResultCorrected, MainMatchRecorded,
    TokenGranted, CandidateNamed, OpponentNamed, GameBanned, GarnetsMoved, PlayerEliminated, PlayerReinstated,
    RulingPosted, FinalOpened, SeasonFinished, MainMatchCorrected, TokensCorrected, PairCorrected,
    EliminationReversed, EpisodeReopened, GarnetsShort, MatchForfeited, MatchReopened,
    SeasonReopened, *TIMING_EVENTS, *INTAKE_EVENTS, *SEATING_EVENTS,
)  # fmt: skip
"""All events but those of the features."""
