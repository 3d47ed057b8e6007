"""A match at a version: its lifecycle, its game's state and its clocks, folded event by event. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from msgspec import structs

from games import catalogue
from games.kernel import ClockSpec, Due, Event, Game
from matches.domain import clocks, events, lifecycle
from matches.domain.clocks import Clocks
from matches.domain.events import MatchOpened, MatchRescheduled, MatchRewound, TimeCredited, TimeGiven, TruthViewed
from matches.domain.lifecycle import Ending, Lifecycle
from matches.domain.openings import clock_specs, setup_shares, title_in

STATE_VERSION = 6
"""Increase it when the contents of a MatchState change, its lifecycle and clocks included, or the effect of a host's
event, so that older snapshots are folded again. Each game has a version of its own."""


@dataclass(frozen=True)
class MatchState:
    """A match at a version. `game_version` counts the game's events on this line of play; `state` is the game's state.

    at: the instant of the last event in microseconds since 1970 UTC.
    acted_at: the instant of the last event that isn't an aside.
    running: the clocks before the events at `at`; only after a whole batch does `due` say whose clock runs.
    onlookers: accounts that have looked at the truth since the last other event.
    """

    version: int
    hash: bytes
    at: int
    lifecycle: Lifecycle
    game_version: int
    state: Any
    running: Clocks
    onlookers: tuple[str, ...] = ()
    acted_at: int = 0

    @property
    def game(self) -> Game:
        """The rules of this match."""
        return catalogue[self.lifecycle.opened.game]

    @property
    def title(self) -> str:
        """The title for people: the match's own one, if it has one, or that of its game."""
        return title_in(self.lifecycle.opened.game, self.lifecycle.opened.options)

    @property
    def clock_specs(self) -> Mapping[str, ClockSpec]:
        """The clocks of this match by its rules, whether they run or not."""
        return clock_specs(self.lifecycle.opened.game, self.lifecycle.opened.options)

    @cached_property
    def due(self) -> Due:
        """The prompts or the dealer that the match waits for; nothing before the start or after the end."""
        return self.game.due(self.state) if self.lifecycle.status in ("running", "paused") else Due()

    @cached_property
    def clocks(self) -> Clocks:
        """The clocks after all events."""
        return clocks.settle(self.running, self.due, self.at, paused=self.lifecycle.paused)

    @property
    def outcome(self) -> Ending | None:
        return self.lifecycle.outcome

    def happened(self, at: int) -> "MatchState":
        """Return the match with another instant for its last events; earlier events keep theirs."""
        return self._copy(("clocks",), at=at, acted_at=at if self.acted_at == self.at else self.acted_at)

    def showing(self, state: Any) -> "MatchState":
        """Return the match with less of its game's state, only for display: it must not be decided or folded on."""
        return self._copy((), state=state)

    def sealed(self, hash: bytes) -> "MatchState":
        """Return the match with its last event's hash."""
        return self._copy((), hash=hash)

    def _copy(self, dropped: tuple[str, ...], **changed: Any) -> "MatchState":
        """Return a copy that keeps cached properties, unlike `replace`; those named in `dropped` are computed again."""
        copy = object.__new__(MatchState)
        copy.__dict__.update(self.__dict__, **changed)
        for name in dropped:
            copy.__dict__.pop(name, None)
        return copy


def opened(event: MatchOpened, *, version: int, hash: bytes, at: int) -> MatchState:
    """Return the match after `match_opened`."""
    game = catalogue[event.game]
    return MatchState(
        version=version,
        hash=hash,
        at=at,
        lifecycle=lifecycle.opening(event),
        game_version=0,
        state=game.open(event.options, event.seats, event.priority),
        running=clocks.opening(
            event.clocks or {},
            event.seats,
            event.priority,
            event.grace * 1000,
            opens_at=event.opens_at,
            setup=tuple(name for name, spec in clock_specs(event.game, event.options).items() if spec.setup),
            setup_closes=event.setup_closes,
            shares=setup_shares(event.game, event.options) if event.shared_setup else {},
        ),
        acted_at=at,
    )


def evolve(
    match_state: MatchState,
    event: Event,
    *,
    version: int,
    hash: bytes,
    at: int,
    actor: str,
    earlier: MatchState | None = None,
) -> MatchState:
    """Return the match after one more event, caused by `actor`. `earlier` is the same witness's match at the version to
    which a rewind leads."""
    running = match_state.running if at == match_state.at else match_state.clocks
    is_of_game = not isinstance(event, events.EVENTS)
    before = match_state.lifecycle
    after = (
        lifecycle.moved(before, actor, version, goes_on=at == match_state.at)
        if is_of_game
        else lifecycle.evolve(before, event)
    )
    next_state = MatchState(
        version=version,
        hash=hash,
        at=at,
        lifecycle=lifecycle.acted(after, event, actor),
        game_version=match_state.game_version + is_of_game,
        state=match_state.game.evolve(match_state.state, event) if is_of_game else match_state.state,
        running=_timed(match_state, running, event, at),
        onlookers=(*match_state.onlookers, event.by) if isinstance(event, TruthViewed) else (),
        acted_at=match_state.acted_at if isinstance(event, events.ASIDES) else at,
    )
    return _rewound(next_state, event, earlier) if isinstance(event, MatchRewound) else next_state


def _rewound(match_state: MatchState, event: MatchRewound, earlier: MatchState | None) -> MatchState:
    """Return the current match with the earlier version's game, clocks and last moves; players, pause and appeals stay
    as they are now."""
    if earlier is None or earlier.version != event.to_version:
        raise ValueError(f"A rewind to version {event.to_version} needs the match at that version.")
    running = clocks.moved(earlier.clocks, earlier.at, match_state.at)
    current, before = match_state.lifecycle, earlier.lifecycle
    last_moves = (it for it in before.offers.last_moves if before.players[it.seat] == current.players[it.seat])
    offers = structs.replace(current.offers, last_moves=tuple(last_moves))
    return replace(
        match_state,
        lifecycle=structs.replace(current, offers=offers),
        game_version=earlier.game_version,
        state=earlier.state,
        running=running,
    )


def _timed(before: MatchState, running: Clocks, event: Event, at: int) -> Clocks:
    """Return the clocks after the event's own effect on them."""
    match event:
        case TimeGiven(seat=seat, seconds=seconds):
            return clocks.give(running, seconds, seat)
        case TimeCredited(seconds=seconds):
            return clocks.credit(running, seconds, at)
        case MatchRescheduled(opens_at=opens_at):
            return structs.replace(running, opens_at=opens_at)
    for name, spec in before.clock_specs.items() if running.times else ():
        if name in running.times and (seconds := spec.granted_by(event)):
            running = clocks.add_reserve(running, name, seconds)
    return running
