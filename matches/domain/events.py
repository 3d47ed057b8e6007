"""What can happen to a match around its game, one class a fact. Recorded for ever."""

from typing import Any, Literal

from games.kernel import Aids, DefaultedEvent, Event, Public, type_name
from matches.domain.clocks import SETUP_CLOSES_BEFORE, ClockTimes

BOT = "bot"
"""The player of a seat that a program plays."""

HOUSE = "house"
"""The actor of what follows without anybody's word: of a match's end in its season, of its season's acts in a match."""

STAND_IN = "stand-in:"
"""What the actor of a stand-in's moves begins with; `bot` or `dealer` follows."""

RESERVED = frozenset({"type", "version", "at", "actor", "hash", "digest", "secret"})
"""Names that a told event carries beside its own fields; no event may use them."""

AppealKind = Literal["move", "clock", "conduct", "other"]
Decision = Literal["approved", "rejected"]
StandIn = Literal["bot", "dealer"]
OfferKind = Literal["takeback", "pause", "resume", "time"]
EndReason = Literal["played", "resigned", "flag", "adjudicated"]


class MatchOpened(DefaultedEvent, frozen=True):
    """The table is set: everything that the rules need, and the promise of a seed.

    `clocks` are by name, None where no clock runs; `grace` is in milliseconds. With `approval` the result counts once a
    host has approved it. A scheduled match opens at the instant `opens_at`, in microseconds since 1970; its set-up
    closes `setup_closes` seconds before. Spectators are told what has happened `spectator_delay` seconds later.
    `season` is the one that the match belongs to. With `acceptance` nothing counts before every person at the table has
    accepted; matches from before there was such a thing have none.

    `nonces` names how the seats' nonces come into the key of the draws, `bots` how programs choose their moves; an
    older match names neither: its nonces are mixed as they always were, and its bots' moves can't be computed again.

    `aids` is what thinks for the players; matches from before that was an option have it all.

    With `shared_setup` a step of the set-up that the others wait for has its share of it alone; in matches from before
    all steps close together.
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


class SeatTaken(Event, frozen=True):
    """A player (an account's id, or `bot`) sits down."""

    seat: Public[int]
    player: Public[str]


class SeatAccepted(Event, frozen=True):
    """The person in a seat says that they play. Who takes a seat, adds a nonce or plays has accepted without it."""

    seat: Public[int]


class SeatDeclined(Event, frozen=True):
    """The person in a seat doesn't play: before the start the seat is open again; after it the match is void."""

    seat: Public[int]
    reason: Public[str]


class NonceAdded(Event, frozen=True):
    """A seat's own randomness, shown as it is given and mixed into the seed; who gives theirs later has seen it."""

    seat: Public[int]
    nonce: Public[str]


class NonceCommitted(Event, frozen=True):
    """A seat promises its nonce by a hash (64 hex digits), before any promised nonce is shown."""

    seat: Public[int]
    commitment: Public[str]


class NonceRevealed(Event, frozen=True):
    """A seat shows the nonce (64 hex digits) that it has promised; from the first one on no other is taken."""

    seat: Public[int]
    nonce: Public[str]


class NoncesCalled(Event, frozen=True):
    """The start was called while promised nonces weren't shown yet: they can be shown until an instant, in microseconds
    since 1970, and then play begins for `reason`."""

    until: Public[int]
    reason: Public[str]


class NonceLeftOut(Event, frozen=True):
    """A seat hasn't shown the nonce that it had promised in time; the draws go without it."""

    seat: Public[int]


class MatchStarted(Event, frozen=True):
    """Play begins."""

    reason: Public[str]


class MatchRescheduled(Event, frozen=True):
    """A match that hasn't begun opens at another instant, in microseconds since 1970; None: when its host starts it, or
    now, where the start follows at once."""

    opens_at: Public[int | None]
    reason: Public[str]


class MatchPaused(Event, frozen=True):
    """The host stops all clocks, or the seats have agreed to; nobody may move. `until` is told of a pause that the
    seats have agreed on: from that instant, in microseconds since 1970, any of them may let the match go on alone."""

    reason: Public[str]
    until: Public[int | None] = None


class MatchResumed(Event, frozen=True):
    """Play and clocks go on."""

    reason: Public[str]


class TimeGiven(Event, frozen=True):
    """The host, or another seat as a gift, gives a seat's running turn more time, in seconds."""

    seat: Public[int]
    seconds: Public[int]
    reason: Public[str]


class TimeCredited(Event, frozen=True):
    """The house gives all running turns back the time it was away, in seconds."""

    seconds: Public[int]
    reason: Public[str]


class MatchVoided(Event, frozen=True):
    """The host declares that the match doesn't count; nobody has won."""

    reason: Public[str]


class MatchAdjudicated(Event, frozen=True):
    """The host decides the match; `match_finished` follows with the same winners."""

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
    """Play continues from the state at an earlier version; whatever happened since stays in the record.

    After its end, which has opened the seed and every secret so far, a match goes on with another seed:
    `seed_commitment` promises it, and is itself the seed that the end has revealed.
    """

    to_version: Public[int]
    reason: Public[str]
    seed_commitment: Public[str | None] = None


class RulingPosted(Event, frozen=True):
    """The host says how a rule is meant, for all to read."""

    text: Public[str]


class AppealOpened(Event, frozen=True):
    """A seat asks the hosts to look at something; appeals are numbered from 1."""

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
    """A seat offers the others to take back its last move, to pause or to go on, or gives them time; offers are
    numbered from 1. A takeback leads to `to_version`, a pause lasts `minutes`. An offer is open until it is answered
    or withdrawn, somebody moves, or the match is paused, goes on, is rewound or changes hands."""

    number: Public[int]
    seat: Public[int]
    kind: Public[OfferKind]
    to_version: Public[int | None] = None
    minutes: Public[int | None] = None


class OfferAccepted(Event, frozen=True):
    """A seat accepts an offer; what all have accepted follows."""

    number: Public[int]
    seat: Public[int]
    kind: Public[OfferKind]


class OfferDeclined(Event, frozen=True):
    """A seat declines an offer, which is closed for all."""

    number: Public[int]
    seat: Public[int]
    kind: Public[OfferKind]


class OfferWithdrawn(Event, frozen=True):
    """The seat that has made an offer takes it away."""

    number: Public[int]
    seat: Public[int]
    kind: Public[OfferKind]


class ResultApproved(Event, frozen=True):
    """A host lets the result of a match that was opened with `approval` count."""

    reason: Public[str]


class TruthViewed(Event, frozen=True):
    """A host (an account's id) looked at everything, the seats' secrets included."""

    by: Public[str]


class MatchFinished(Event, frozen=True):
    """The outcome, as the game's state gives it, or as the host decided: then `reason` is `adjudicated`."""

    winners: Public[tuple[int, ...]]
    ranking: Public[tuple[tuple[int, ...], ...]]
    reason: Public[EndReason]
    score: Public[dict[int, int]]


class SeedRevealed(Event, frozen=True):
    """The seed behind every draw; anyone can now recompute the deals."""

    seed: Public[str]


EVENTS: tuple[type[Event], ...] = (
    MatchOpened, SeatTaken, NonceAdded, MatchStarted, MatchPaused, MatchResumed, TimeGiven, TimeCredited, MatchVoided,
    MatchAdjudicated, SeatSubstituted, MatchRewound, RulingPosted, AppealOpened, AppealAnswered, ResultApproved,
    TruthViewed, MatchFinished, SeedRevealed, StandInSeated, StandInLeft, NonceCommitted, NonceRevealed, NoncesCalled,
    NonceLeftOut, SeatAccepted, SeatDeclined, MatchRescheduled, OfferMade, OfferAccepted,
    OfferDeclined, OfferWithdrawn,
)  # fmt: skip

ASIDES: tuple[type[Event], ...] = (
    TruthViewed, RulingPosted, AppealOpened, AppealAnswered, SeatAccepted, OfferMade, OfferAccepted, OfferDeclined,
    OfferWithdrawn, TimeGiven,
)  # fmt: skip
"""What is done beside the game: it changes neither the position nor who plays, and takes no time from anybody."""

TYPES_OF_ASIDES: frozenset[str] = frozenset(map(type_name, ASIDES))
"""How asides are called where they are stored."""
