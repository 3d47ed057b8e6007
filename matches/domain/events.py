"""Events of a match around its game. They are recorded for ever."""

from typing import Any, Literal

from games.kernel import Aids, DefaultedEvent, Event, Public, type_name
from matches.domain.clocks import SETUP_CLOSES_BEFORE, ClockTimes

BOT = "bot"
"""The player of a seat that a bot plays."""

HOUSE = "house"
"""The actor of acts that no person requests: a season's acts in a match, and the results of its matches in a season."""

STAND_IN = "stand-in:"
"""Prefix of the actor of a stand-in's moves; `bot` or `dealer` follows."""

RESERVED = frozenset({"type", "version", "at", "actor", "hash", "digest", "secret"})
"""Names of fields that an event's document has beside its own; no event may use them."""

AppealKind = Literal["move", "clock", "conduct", "other"]
Decision = Literal["approved", "rejected"]
StandIn = Literal["bot", "dealer"]
OfferKind = Literal["takeback", "pause", "resume", "time"]
EndReason = Literal["played", "resigned", "flag", "adjudicated"]
SecretsOpen = Literal["match", "season"]


class MatchOpened(DefaultedEvent, frozen=True):
    """The match is opened, with everything that the rules need and the commitment to a seed.

    clocks: by name; None if no clock runs.
    grace: in milliseconds.
    approval: the result counts only once a host has approved it.
    opens_at: the opening of a scheduled match, in microseconds since 1970.
    setup_closes: seconds between the end of the set-up and `opens_at`.
    spectator_delay: seconds after which spectators see what has happened.
    acceptance: nothing counts before every person has accepted their seat; False for older matches.
    nonces: how the seats' nonces enter the key of the draws; None for older matches, which use the first scheme.
    bots: how programs choose their moves; None for older matches, whose bots' moves can't be computed again.
    aids: what thinks for the players; older matches have `all`.
    shared_setup: a step of the set-up that others wait for has only its share; older matches close all together.
    secrets_open: the end that reveals the seed and opens every secret: the match's own, or its season's.
    """

    game: Public[str]
    options: Public[dict[str, Any]]
    seats: Public[int]
    priority: Public[int]
    opened_by: Public[str]
    seed_commitment: Public[str]
    chance: Public[str]
    clocks: Public[dict[str, ClockTimes] | None] = None
    grace: Public[int] = 1000
    approval: Public[bool] = False
    opens_at: Public[int | None] = None
    spectator_delay: Public[int] = 0
    season: Public[str | None] = None
    nonces: Public[str | None] = None
    bots: Public[str | None] = None
    acceptance: Public[bool] = False
    aids: Public[Aids] = "all"
    setup_closes: Public[int] = SETUP_CLOSES_BEFORE
    shared_setup: Public[bool] = False
    secrets_open: Public[SecretsOpen] = "match"


class SeatTaken(Event, frozen=True):
    """A player (an account's id, or `bot`) takes a seat."""

    seat: Public[int]
    player: Public[str]


class SeatAccepted(Event, frozen=True):
    """The person in a seat accepts it. Taking a seat oneself, adding a nonce or playing accepts it without this
    event."""

    seat: Public[int]


class SeatDeclined(Event, frozen=True):
    """The person in a seat declines it: before the start the seat becomes open again; after it the match is void."""

    seat: Public[int]
    reason: Public[str]


class NonceAdded(Event, frozen=True):
    """A seat's nonce, public at once and mixed into the seed; a later nonce may be chosen with knowledge of it."""

    seat: Public[int]
    nonce: Public[str]


class NonceCommitted(Event, frozen=True):
    """A seat commits to its nonce by a hash (64 hex digits), before any committed nonce is revealed."""

    seat: Public[int]
    commitment: Public[str]


class NonceRevealed(Event, frozen=True):
    """A seat reveals the nonce (64 hex digits) that it has committed to; after the first one no new nonce is
    accepted."""

    seat: Public[int]
    nonce: Public[str]


class NoncesCalled(Event, frozen=True):
    """The start was called before all committed nonces were revealed: they can be revealed until an instant, in
    microseconds since 1970, and then play begins for `reason`."""

    until: Public[int]
    reason: Public[str]


class NonceLeftOut(Event, frozen=True):
    """A seat hasn't revealed its committed nonce in time; the draws don't include it."""

    seat: Public[int]


class MatchStarted(Event, frozen=True):
    """Play begins."""

    reason: Public[str]


class MatchRescheduled(Event, frozen=True):
    """A match that hasn't begun opens at another instant, in microseconds since 1970. None: when its host starts it, or
    now, if the start follows at once."""

    opens_at: Public[int | None]
    reason: Public[str]


class MatchPaused(Event, frozen=True):
    """A host or the seats stop all clocks; nobody may move. `until`, in microseconds since 1970, is set if the seats
    have agreed on the pause: from then on any of them may resume the match alone."""

    reason: Public[str]
    until: Public[int | None] = None


class MatchResumed(Event, frozen=True):
    """Play and clocks continue."""

    reason: Public[str]


class TimeGiven(Event, frozen=True):
    """A host, or another seat as a gift, gives a seat's running turn more time, in seconds."""

    seat: Public[int]
    seconds: Public[int]
    reason: Public[str]


class TimeCredited(Event, frozen=True):
    """The house gives all running turns back the time of an outage, in seconds."""

    seconds: Public[int]
    reason: Public[str]


class MatchVoided(Event, frozen=True):
    """The match doesn't count; nobody has won."""

    reason: Public[str]


class MatchAdjudicated(Event, frozen=True):
    """A host decides the match; `match_finished` follows with the same winners."""

    winners: Public[tuple[int, ...]]
    ranking: Public[tuple[tuple[int, ...], ...]]
    reason: Public[str]


class SeatSubstituted(Event, frozen=True):
    """Another player (an account's id, or `bot`) holds the seat from now on, and sees what it sees."""

    seat: Public[int]
    player: Public[str]
    reason: Public[str]


class StandInSeated(Event, frozen=True):
    """A bot, or the dealer at random, plays for a seat whose player is absent; the seat stays the player's."""

    seat: Public[int]
    player: Public[StandIn]
    reason: Public[str]


class StandInLeft(Event, frozen=True):
    """The seat's player plays again."""

    seat: Public[int]
    reason: Public[str]


class MatchRewound(Event, frozen=True):
    """Play continues from the state at an earlier version; later events stay in the record.

    A match whose end has revealed the seed and all secrets continues with another seed after a rewind.
    `seed_commitment` is the commitment to the new seed and equals the revealed one.
    """

    to_version: Public[int]
    reason: Public[str]
    seed_commitment: Public[str | None] = None


class RulingPosted(Event, frozen=True):
    """A host's ruling on a rule, public."""

    text: Public[str]


class TextWithdrawn(Event, frozen=True):
    """A host has had a text deleted that events name by this commitment."""

    commitment: Public[str]
    reason: Public[str]


class AppealOpened(Event, frozen=True):
    """A seat appeals to the hosts; appeals are numbered from 1."""

    number: Public[int]
    seat: Public[int]
    kind: Public[AppealKind]
    text: Public[str]


class AppealAnswered(Event, frozen=True):
    """A host's answer; the appeal is closed."""

    number: Public[int]
    decision: Public[Decision]
    reason: Public[str]


class OfferMade(Event, frozen=True):
    """A seat offers the others a takeback of its last move, a pause or to resume, or gives them time; offers are
    numbered from 1. A takeback leads to `to_version`, a pause lasts `minutes`. An offer is open until it is answered or
    withdrawn, somebody moves, or the match is paused, resumed or rewound or a seat's player changes."""

    number: Public[int]
    seat: Public[int]
    kind: Public[OfferKind]
    to_version: Public[int | None] = None
    minutes: Public[int | None] = None


class OfferAccepted(Event, frozen=True):
    """A seat accepts an offer; once all have accepted, its effect follows."""

    number: Public[int]
    seat: Public[int]
    kind: Public[OfferKind]


class OfferDeclined(Event, frozen=True):
    """A seat declines an offer, which is closed for all."""

    number: Public[int]
    seat: Public[int]
    kind: Public[OfferKind]


class OfferWithdrawn(Event, frozen=True):
    """The seat that has made an offer withdraws it."""

    number: Public[int]
    seat: Public[int]
    kind: Public[OfferKind]


class ResultApproved(Event, frozen=True):
    """A host approves the result of a match opened with `approval`, so that it counts."""

    reason: Public[str]


class TruthViewed(Event, frozen=True):
    """A host (an account's id) looked at the truth, including the seats' secrets."""

    by: Public[str]


class MatchFinished(Event, frozen=True):
    """The outcome by the game's state, or by a host's decision; then `reason` is `adjudicated`."""

    winners: Public[tuple[int, ...]]
    ranking: Public[tuple[tuple[int, ...], ...]]
    reason: Public[EndReason]
    score: Public[dict[int, int]]


class SeedRevealed(Event, frozen=True):
    """The seed behind every draw; anyone can now recompute the deals, and every secret is open. It follows the match's
    end, or is an act of the house once the season has ended."""

    seed: Public[str]


EVENTS: tuple[type[Event], ...] = (
    MatchOpened, SeatTaken, NonceAdded, MatchStarted, MatchPaused, MatchResumed, TimeGiven, TimeCredited, MatchVoided,
    MatchAdjudicated, SeatSubstituted, MatchRewound, RulingPosted, AppealOpened, AppealAnswered, ResultApproved,
    TruthViewed, MatchFinished, SeedRevealed, StandInSeated, StandInLeft, NonceCommitted, NonceRevealed, NoncesCalled,
    NonceLeftOut, SeatAccepted, SeatDeclined, MatchRescheduled, OfferMade, OfferAccepted,
    OfferDeclined, OfferWithdrawn, TextWithdrawn,
)  # fmt: skip

ASIDES: tuple[type[Event], ...] = (
    TruthViewed, RulingPosted, AppealOpened, AppealAnswered, SeatAccepted, OfferMade, OfferAccepted, OfferDeclined,
    OfferWithdrawn, TimeGiven, TextWithdrawn,
)  # fmt: skip
"""Events beside the game: they change neither the position nor the seats' players, and take no time from anybody."""

TYPES_OF_ASIDES: frozenset[str] = frozenset(map(type_name, ASIDES))
"""The stored type names of asides."""
