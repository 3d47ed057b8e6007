"""A match's own story around its game: opened, seats taken, nonces, started, finished. Pure."""

from collections.abc import Collection
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from games.kernel import Event, Illegal, Outcome, Public
from matches.clocks import ClockTimes

BOT = "bot"
"""The player of a seat that a program plays."""

RESERVED = frozenset({"type", "version", "at", "actor", "hash", "digest", "secret"})
"""Names that a told event carries beside its own fields; no event may use them."""


class MatchOpened(Event, frozen=True):
    """The table is set: everything that the rules need, and the promise of a seed.

    `clocks` are by name, None where no clock runs; `grace` is in milliseconds.
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


class SeatTaken(Event, frozen=True):
    """A player (an account's id, or `bot`) sits down."""

    seat: Public[int]
    player: Public[str]


class NonceAdded(Event, frozen=True):
    """A seat's own randomness, mixed into the seed so that nobody alone chooses the deal."""

    seat: Public[int]
    nonce: Public[str]


class MatchStarted(Event, frozen=True):
    """Play begins."""

    reason: Public[str]


class MatchPaused(Event, frozen=True):
    """The host stops all clocks; nobody may move."""

    reason: Public[str]


class MatchResumed(Event, frozen=True):
    """Play and clocks go on."""

    reason: Public[str]


class TimeGiven(Event, frozen=True):
    """The host gives a seat's running turn more time, in seconds."""

    seat: Public[int]
    seconds: Public[int]
    reason: Public[str]


class TimeCredited(Event, frozen=True):
    """The house gives all running turns back the time it was away, in seconds."""

    seconds: Public[int]
    reason: Public[str]


class MatchFinished(Event, frozen=True):
    """The outcome, as the game's state gives it."""

    winners: Public[tuple[int, ...]]
    ranking: Public[tuple[tuple[int, ...], ...]]
    reason: Public[str]
    score: Public[dict[int, int]]


class SeedRevealed(Event, frozen=True):
    """The seed behind every draw; anyone can now recompute the deals."""

    seed: Public[str]


EVENTS: tuple[type[Event], ...] = (
    MatchOpened, SeatTaken, NonceAdded, MatchStarted, MatchPaused, MatchResumed, TimeGiven, TimeCredited,
    MatchFinished, SeedRevealed,
)  # fmt: skip


class Lifecycle(Struct, frozen=True, kw_only=True):
    """Where the match stands: `players` by seat (None = open), `nonces` by seat in the order of the seats."""

    opened: MatchOpened
    players: tuple[str | None, ...]
    nonces: tuple[str | None, ...]
    started: bool = False
    paused: bool = False
    outcome: Outcome | None = None
    seed: str | None = None

    @property
    def status(self) -> str:
        """`waiting`, `running`, `paused` or `finished`."""
        if self.outcome is not None:
            return "finished"
        if not self.started:
            return "waiting"
        return "paused" if self.paused else "running"

    @property
    def may_start(self) -> bool:
        """Whether every seat is taken and play hasn't begun."""
        return not self.started and None not in self.players

    def seat_of(self, player: str) -> int | None:
        """The seat of this account, or None."""
        return self.players.index(player) if player in self.players else None


def opening(event: MatchOpened) -> Lifecycle:
    """The state after `match_opened`."""
    return Lifecycle(opened=event, players=(None,) * event.seats, nonces=(None,) * event.seats)


def evolve(state: Lifecycle, event: Event) -> Lifecycle:
    """The state after one of the lifecycle's events."""
    match event:
        case SeatTaken(seat=seat, player=player):
            return replace(state, players=_put(state.players, seat, player))
        case NonceAdded(seat=seat, nonce=nonce):
            return replace(state, nonces=_put(state.nonces, seat, nonce))
        case MatchStarted():
            return replace(state, started=True)
        case MatchPaused():
            return replace(state, paused=True)
        case MatchResumed():
            return replace(state, paused=False)
        case MatchFinished(winners=winners, ranking=ranking, reason=reason, score=score):
            return replace(state, outcome=Outcome(winners, ranking, reason, score))  # type: ignore[arg-type]
        case SeedRevealed(seed=seed):
            return replace(state, seed=seed)
        case _:
            return state


def take_seat(state: Lifecycle, seat: int, player: str) -> Event:
    """A player sits down on an open seat; raises already_started, no_such_seat, seat_taken, already_seated."""
    _refuse_started(state)
    if not 0 <= seat < len(state.players):
        raise Illegal("no_such_seat", f"The seats at this table are 0 to {len(state.players) - 1}.")
    if state.players[seat] is not None:
        raise Illegal("seat_taken", f"Seat {seat} is taken.")
    if player != BOT and player in state.players:
        raise Illegal("already_seated", f"You already hold seat {state.players.index(player)}.")
    return SeatTaken(seat=seat, player=player)


def add_nonce(state: Lifecycle, seat: int, nonce: str) -> Event:
    """A seat adds its nonce before the start; raises already_started, nonce_given."""
    _refuse_started(state)
    if state.nonces[seat] is not None:
        raise Illegal("nonce_given", "You have given your nonce; it can't be changed.")
    return NonceAdded(seat=seat, nonce=nonce)


def start(state: Lifecycle, reason: str) -> Event:
    """Play begins; raises already_started, seats_open."""
    _refuse_started(state)
    if not state.may_start:
        empty = ", ".join(str(seat) for seat, player in enumerate(state.players) if player is None)
        raise Illegal("seats_open", f"Seat {empty} is still open; invite a player or seat a bot.")
    return MatchStarted(reason=reason)


def finish(outcome: Outcome, seed: bytes) -> tuple[Event, Event]:
    """The last events of a match."""
    return (
        MatchFinished(outcome.winners, outcome.ranking, outcome.reason, outcome.score),
        SeedRevealed(seed.hex()),
    )


def pause(state: Lifecycle, reason: str) -> Event:
    """The host stops the match; raises not_started, match_over, match_paused."""
    refuse_unless_running(state)
    return MatchPaused(reason=reason)


def resume(state: Lifecycle, reason: str) -> Event:
    """The host lets it go on; raises not_paused."""
    if not state.paused:
        raise Illegal("not_paused", "The match isn't paused.")
    return MatchResumed(reason=reason)


def give_time(state: Lifecycle, seat: int, seconds: int, on_the_clock: Collection[int], reason: str) -> Event:
    """The host gives a seat's turn more time; raises not_started, match_over, no_prompt."""
    _refuse_unless_on(state)
    if seat not in on_the_clock:
        raise Illegal("no_prompt", f"Seat {seat} has no running clock.")
    return TimeGiven(seat=seat, seconds=seconds, reason=reason)


def refuse_unless_running(state: Lifecycle) -> None:
    """Raise not_started, match_over or match_paused."""
    _refuse_unless_on(state)
    if state.paused:
        raise Illegal("match_paused", "The match is paused; wait for its host to resume it.")


def _refuse_unless_on(state: Lifecycle) -> None:
    if not state.started:
        raise Illegal("not_started", "The match hasn't started yet.")
    if state.outcome is not None:
        raise Illegal("match_over", "The match is over.")


def _refuse_started(state: Lifecycle) -> None:
    if state.started:
        raise Illegal("already_started", "The match has started.")


def _put(values: tuple[Any, ...], place: int, value: Any) -> tuple[Any, ...]:
    return (*values[:place], value, *values[place + 1 :])
