"""A match's lifecycle around its game: opened, seats taken, nonces, started, paused, finished. Pure."""

from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from games.kernel import Event, Illegal, Outcome
from matches.domain import open_offers
from matches.domain.events import (
    BOT,
    EVENTS,
    HOUSE,
    STAND_IN,
    AppealAnswered,
    AppealKind,
    AppealOpened,
    Decision,
    EndReason,
    MatchFinished,
    MatchOpened,
    MatchPaused,
    MatchRescheduled,
    MatchResumed,
    MatchRewound,
    MatchStarted,
    MatchVoided,
    NonceAdded,
    NonceCommitted,
    NonceLeftOut,
    NonceRevealed,
    NoncesCalled,
    ResultApproved,
    SeatAccepted,
    SeatDeclined,
    SeatSubstituted,
    SeatTaken,
    SeedRevealed,
    StandInLeft,
    StandInSeated,
    TruthViewed,
)
from matches.domain.open_offers import Offers


class Ending(Struct, frozen=True):
    """The end of the match: the game's outcome, or `adjudicated` without a score."""

    winners: tuple[int, ...]
    ranking: tuple[tuple[int, ...], ...]
    reason: EndReason
    score: dict[int, int]


Status = Literal["waiting", "running", "paused", "finished", "void"]


class Appeal(Struct, frozen=True, kw_only=True):
    """A seat's appeal to the hosts; `decision` and `reason` are None until one has answered it. `player` held the seat
    at that time."""

    number: int
    seat: int
    player: str | None
    kind: AppealKind
    text: str
    decision: Decision | None = None
    reason: str | None = None


class Lifecycle(Struct, frozen=True, kw_only=True):
    """The lifecycle of a match. Tuples are by seat unless stated otherwise.

    players: None for an open seat.
    commitments: hashes of the nonces that the seats have committed to.
    left_out: seats that haven't revealed their nonce in time.
    called: a start that waits for nonces; see `nonces`.
    leavers: (seat, player) of tenures that ended during play.
    looked: accounts that have seen the truth.
    stand_ins: (seat, stand-in) of absent players.
    rewinds: the number of rewinds, and so of the line of play.
    reopened: the number of rewinds after an end.
    seed_number: the number of the seed; a rewind after an end that has revealed it leads to the next.
    promise: the commitment to that seed; None for the opening's.
    sitters: people who hold or have held a seat.
    accepted: people who have accepted their seat, explicitly or by playing.
    forfeited: the outcome was decided by the season, because a player had left.
    """

    opened: MatchOpened
    players: tuple[str | None, ...]
    nonces: tuple[str | None, ...]
    commitments: tuple[str | None, ...]
    left_out: tuple[int, ...] = ()
    called: NoncesCalled | None = None
    started: bool = False
    paused: bool = False
    voided: bool = False
    rewinds: int = 0
    reopened: int = 0
    seed_number: int = 0
    promise: str | None = None
    leavers: tuple[tuple[int, str], ...] = ()
    stand_ins: tuple[tuple[int, str], ...] = ()
    looked: tuple[str, ...] = ()
    sitters: tuple[str, ...] = ()
    accepted: tuple[str, ...] = ()
    appeals: tuple[Appeal, ...] = ()
    offers: Offers = Offers()
    outcome: Ending | None = None
    forfeited: bool = False
    approved: bool = False
    seed: str | None = None

    @property
    def over(self) -> bool:
        """True if the match has an outcome or is void: play has ended."""
        return self.voided or self.outcome is not None

    @property
    def is_open(self) -> bool:
        """True if everybody may see every secret: the match is over, and so is its season if they open with that."""
        return self.over and (self.opened.secrets_open == "match" or self.seed is not None)

    @property
    def seed_commitment(self) -> str:
        """The commitment to the current seed."""
        return self.promise or self.opened.seed_commitment

    @property
    def status(self) -> Status:
        if self.over:
            return "void" if self.voided else "finished"
        if not self.started:
            return "waiting"
        return "paused" if self.paused else "running"

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seats whose people haven't accepted yet; none in a match without acceptance."""
        if not self.opened.acceptance:
            return ()
        people = ((seat, player) for seat, player in enumerate(self.players) if player not in (None, BOT))
        return tuple(seat for seat, player in people if player not in self.accepted)

    @property
    def counts(self) -> bool:
        """True if the outcome counts for its players: all have accepted, a host has approved it if necessary, and no
        host has adjudicated a friendly."""
        return self.may_count and (self.approved or not self.opened.approval)

    @property
    def may_count(self) -> bool:
        """True if the outcome counts, or would count once approved by a host."""
        if self.outcome is None or self.awaited:
            return False
        return self.opened.season is not None or self.outcome.reason != "adjudicated"

    @property
    def may_start(self) -> bool:
        """True if every seat is taken and play hasn't begun."""
        return not self.started and None not in self.players

    @property
    def shows_nonces(self) -> bool:
        """True if a committed nonce was revealed or the start was called, so that a new nonce could be chosen to suit
        others."""
        return self.called is not None or any(map(self.has_shown, range(len(self.nonces))))

    def has_shown(self, seat: int) -> bool:
        """True if the seat has revealed the nonce that it had committed to."""
        return self.commitments[seat] is not None and self.nonces[seat] is not None

    @property
    def movers(self) -> tuple[str | None, ...]:
        """The player of each seat's moves: its holder, or the stand-in."""
        if not self.stand_ins:
            return self.players
        standing_in = dict(self.stand_ins)
        return tuple(standing_in.get(seat, player) for seat, player in enumerate(self.players))

    def seat_of(self, player: str) -> int | None:
        """Return the seat of this account, or None."""
        return self.players.index(player) if player in self.players else None


def opening(event: MatchOpened) -> Lifecycle:
    """Return the lifecycle after `match_opened`."""
    none = (None,) * event.seats
    return Lifecycle(opened=event, players=none, nonces=none, commitments=none)


def evolve(state: Lifecycle, event: Event) -> Lifecycle:
    """Return the lifecycle after one of its events."""
    after = _evolved(state, event)
    offers = open_offers.evolve(state.offers, event)
    return after if offers is state.offers else replace(after, offers=offers)


def moved(state: Lifecycle, actor: str, version: int, *, goes_on: bool) -> Lifecycle:
    """Return the lifecycle after one of the game's events; with `goes_on` it belongs to the same act as the event
    before."""
    seat = None if actor == BOT else state.seat_of(actor)
    offers = open_offers.moved(state.offers, seat, version, goes_on=goes_on)
    return state if offers is state.offers else replace(state, offers=offers)


def _evolved(state: Lifecycle, event: Event) -> Lifecycle:
    match event:
        case SeatTaken(seat=seat, player=player):
            players = _replaced(state.players, seat, player)
            return replace(state, players=players, sitters=_with_sitter(state.sitters, player))
        case SeatDeclined(seat=seat) if not state.started:
            # Who has declined a seat assigned by somebody else never was an opponent, and may still host.
            sitters = tuple(sitter for sitter in state.sitters if sitter != state.players[seat])
            return _vacated(replace(state, players=_replaced(state.players, seat, None), sitters=sitters), seat)
        case NonceAdded(seat=seat, nonce=nonce) | NonceRevealed(seat=seat, nonce=nonce):
            return replace(state, nonces=_replaced(state.nonces, seat, nonce))
        case NonceCommitted(seat=seat, commitment=commitment):
            return replace(state, commitments=_replaced(state.commitments, seat, commitment))
        case NoncesCalled():
            return replace(state, called=event)
        case NonceLeftOut(seat=seat):
            return replace(state, left_out=(*state.left_out, seat))
        case MatchStarted():
            return replace(state, started=True)
        case MatchRescheduled(opens_at=opens_at):
            return replace(state, opened=replace(state.opened, opens_at=opens_at))
        case MatchPaused():
            return replace(state, paused=True)
        case MatchResumed():
            return replace(state, paused=False)
        case MatchVoided():
            return replace(state, voided=True)
        case SeatSubstituted(seat=seat, player=player):
            leaver = state.players[seat]
            leavers = (*state.leavers, (seat, leaver)) if leaver and state.started else state.leavers
            players = _replaced(state.players, seat, player)
            state = replace(
                state,
                players=players,
                leavers=leavers,
                sitters=_with_sitter(state.sitters, player),
                stand_ins=_without(state.stand_ins, seat),
            )
            return _vacated(state, seat)
        case StandInSeated(seat=seat, player=player):
            return replace(state, stand_ins=(*_without(state.stand_ins, seat), (seat, STAND_IN + player)))
        case StandInLeft(seat=seat):
            return replace(state, stand_ins=_without(state.stand_ins, seat))
        case MatchRewound(seed_commitment=promise):
            rewound = replace(state, outcome=None, forfeited=False, approved=False)
            rewound = replace(rewound, rewinds=state.rewinds + 1, reopened=state.reopened + state.over)
            if promise is None:
                return rewound
            return replace(rewound, seed=None, promise=promise, seed_number=state.seed_number + 1)
        case AppealOpened(number=number, seat=seat, kind=kind, text=text):
            appeal = Appeal(number=number, seat=seat, player=state.players[seat], kind=kind, text=text)
            return replace(state, appeals=(*state.appeals, appeal))
        case AppealAnswered(number=number, decision=decision, reason=reason):
            answered = replace(state.appeals[number - 1], decision=decision, reason=reason)
            return replace(state, appeals=_replaced(state.appeals, number - 1, answered))
        case ResultApproved():
            return replace(state, approved=True)
        case TruthViewed(by=by):
            return state if by in state.looked else replace(state, looked=(*state.looked, by))
        case MatchFinished(winners=winners, ranking=ranking, reason=reason, score=score):
            return replace(state, outcome=Ending(winners, ranking, reason, score))
        case SeedRevealed(seed=seed):
            return replace(state, seed=seed)
        case _:
            return state


def _vacated(state: Lifecycle, seat: int) -> Lifecycle:
    """Return the lifecycle without the commitment of a seat that was left. Before anything is revealed, its next player
    commits to a nonce of their own."""
    if state.started or state.shows_nonces:
        return state
    return replace(state, commitments=_replaced(state.commitments, seat, None))


def acted(state: Lifecycle, event: Event, actor: str) -> Lifecycle:
    """Return the lifecycle with what follows from an event's actor: a seat's person accepts their seat by an event of
    the game or by some of the lifecycle's, and an end that the house has decided is a forfeit."""
    if isinstance(event, MatchFinished):
        return replace(state, forfeited=actor == HOUSE and event.reason == "adjudicated")
    if not state.opened.acceptance or actor in (BOT, *state.accepted) or actor not in state.players:
        return state
    match event:
        case SeatTaken(player=player) | SeatSubstituted(player=player):
            accepts = player == actor
        case NonceAdded() | SeatAccepted():
            accepts = True
        case _:
            accepts = not isinstance(event, EVENTS)
    return replace(state, accepted=(*state.accepted, actor)) if accepts else state


def take_seat(state: Lifecycle, seat: int, player: str) -> Event:
    """Take an open seat; raises already_started, match_over, no_such_seat, seat_taken, already_seated."""
    refuse_started(state)
    refuse_no_such_seat(state, seat)
    if state.players[seat] is not None:
        raise Illegal("seat_taken", f"Seat {seat} is taken.")
    if player != BOT and player in state.players:
        raise Illegal("already_seated", f"You already hold seat {state.players.index(player)}.")
    return SeatTaken(seat=seat, player=player)


def add_nonce(state: Lifecycle, seat: int, nonce: str) -> Event:
    """Add a seat's nonce in plain; raises already_started, match_over, nonce_given, nonces_closed."""
    refuse_nonce(state, seat)
    return NonceAdded(seat=seat, nonce=nonce)


def refuse_nonce(state: Lifecycle, seat: int) -> None:
    """Raise already_started, match_over, nonce_given or nonces_closed if a seat can't add or commit to a nonce."""
    refuse_started(state)
    if state.nonces[seat] is not None or state.commitments[seat] is not None:
        raise Illegal("nonce_given", "You have given your nonce; it can't be changed.")
    if state.shows_nonces:
        raise Illegal("nonces_closed", "Nonces are shown already; one given now could have been chosen to suit them.")


def start(state: Lifecycle, reason: str) -> Event:
    """Begin play; raises already_started, match_over, seats_open."""
    refuse_started(state)
    if not state.may_start:
        empty = ", ".join(str(seat) for seat, player in enumerate(state.players) if player is None)
        raise Illegal("seats_open", f"Seat {empty} is still open; invite a player or seat a bot.")
    return MatchStarted(reason=reason)


def finish(state: Lifecycle, outcome: Outcome, seed: bytes) -> tuple[Event, ...]:
    """Return the events of a match's end."""
    finished = MatchFinished(outcome.winners, outcome.ranking, outcome.reason, outcome.score)
    return (finished, *revealed_at_the_end(state, seed))


def revealed_at_the_end(state: Lifecycle, seed: bytes) -> tuple[Event, ...]:
    """Return the event that reveals the seed with the match's end; none if the end of its season does."""
    return (SeedRevealed(seed.hex()),) if state.opened.secrets_open == "match" else ()


def refuse_unless_running(state: Lifecycle) -> None:
    """Raise not_started, match_over or match_paused."""
    refuse_unless_on(state)
    if state.paused:
        by = "its host" if state.offers.pause_ends is None else "its seats or its host"
        raise Illegal("match_paused", f"The match is paused; wait for {by} to resume it.")


def refuse_unless_on(state: Lifecycle) -> None:
    """Raise not_started or match_over; a paused match passes."""
    refuse_over(state)
    if not state.started:
        raise Illegal("not_started", "The match hasn't started yet.")


def refuse_over(state: Lifecycle) -> None:
    """Raise match_over."""
    if state.over:
        raise Illegal("match_over", "The match is void." if state.voided else "The match is over.")


def refuse_no_such_seat(state: Lifecycle, seat: int) -> None:
    """Raise no_such_seat."""
    if not 0 <= seat < len(state.players):
        raise Illegal("no_such_seat", f"The seats at this table are 0 to {len(state.players) - 1}.")


def refuse_started(state: Lifecycle) -> None:
    """Raise already_started, match_over."""
    if state.started:
        raise Illegal("already_started", "The match has started.")
    refuse_over(state)


def _with_sitter(sitters: tuple[str, ...], player: str) -> tuple[str, ...]:
    return sitters if player in (BOT, *sitters) else (*sitters, player)


def _without(stand_ins: tuple[tuple[int, str], ...], seat: int) -> tuple[tuple[int, str], ...]:
    return tuple(it for it in stand_ins if it[0] != seat)


def _replaced(values: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    return (*values[:place], value, *values[place + 1 :])
