"""A match at a version: its story, its game's state and its clocks, folded event by event. Pure."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from msgspec import structs

from games import catalogue
from games.kernel import Due, Event, Game
from matches.domain import clocks, events, lifecycle
from matches.domain.clocks import Clocks
from matches.domain.events import MatchOpened, MatchRescheduled, MatchRewound, TimeCredited, TimeGiven, TruthViewed
from matches.domain.lifecycle import Ending, Lifecycle
from matches.domain.openings import setup_shares

STATE_VERSION = 5
"""Raised by whoever changes what a match at a version holds, its lifecycle and clocks included, or what an event of the
host makes of them: so that snapshots made before are folded anew. Each game has a number of its own."""


@dataclass(frozen=True)
class MatchState:
    """A match at a version. `game_version` counts the game's own events on this line of play, `state` is its state.

    `at` is the instant of the last event in microseconds since 1970 UTC, `acted_at` that of the last one that is no
    aside; `running` are the clocks before what happened at `at`, since a batch must be complete before its due tells
    who is on the clock. `onlookers` are the accounts that have looked at the truth since anything else happened.
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
        """The rules that this match is played by."""
        return catalogue[self.lifecycle.opened.game]

    @cached_property
    def due(self) -> Due:
        """What the match waits for; nothing before the start or after the end."""
        return self.game.due(self.state) if self.lifecycle.status in ("running", "paused") else Due()

    @cached_property
    def clocks(self) -> Clocks:
        """The clocks after everything that has happened."""
        return clocks.settle(self.running, self.due, self.at, paused=self.lifecycle.paused)

    @property
    def outcome(self) -> Ending | None:
        """How the match ended, or None."""
        return self.lifecycle.outcome

    def happened(self, at: int) -> "MatchState":
        """The same match, its last events at another instant than it was thought; not that of the events before."""
        return self._but(("clocks",), at=at, acted_at=at if self.acted_at == self.at else self.acted_at)

    def showing(self, state: Any) -> "MatchState":
        """The same match with less of its game's state, to be shown: nothing is decided or folded on it."""
        return self._but((), state=state)

    def sealed(self, hash: bytes) -> "MatchState":
        """The same match with its last event's hash."""
        return self._but((), hash=hash)

    def _but(self, forgetting: tuple[str, ...], **changed: Any) -> "MatchState":
        """A copy that keeps what was worked out already; `replace` would forget it."""
        copy = object.__new__(MatchState)
        copy.__dict__.update(self.__dict__, **changed)
        for name in forgetting:
            copy.__dict__.pop(name, None)
        return copy


def opened(event: MatchOpened, *, version: int, hash: bytes, at: int) -> MatchState:
    """The match after `match_opened`."""
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
            setup=tuple(name for name, spec in game.clocks.items() if spec.setup),
            setup_closes=event.setup_closes,
            shares=setup_shares(event.game) if event.shared_setup else {},
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
    """The match after one more event, which `actor` brought about; `earlier` is the same witness's match at the version
    that a rewind leads to."""
    running = match_state.running if at == match_state.at else match_state.clocks
    own = not isinstance(event, events.EVENTS)
    before = match_state.lifecycle
    story = (
        lifecycle.moved(before, actor, version, goes_on=at == match_state.at)
        if own
        else lifecycle.evolve(before, event)
    )
    moved = MatchState(
        version=version,
        hash=hash,
        at=at,
        lifecycle=lifecycle.acted(story, event, actor),
        game_version=match_state.game_version + own,
        state=match_state.game.evolve(match_state.state, event) if own else match_state.state,
        running=_timed(match_state.game, running, event, at),
        onlookers=(*match_state.onlookers, event.by) if isinstance(event, TruthViewed) else (),
        acted_at=match_state.acted_at if isinstance(event, events.ASIDES) else at,
    )
    return _rewound(moved, event, earlier) if isinstance(event, MatchRewound) else moved


def _rewound(match_state: MatchState, event: MatchRewound, earlier: MatchState | None) -> MatchState:
    """The earlier version's game and clocks, and who had moved by then, in the story as it stands now: its players,
    its pause, its appeals."""
    if earlier is None or earlier.version != event.to_version:
        raise ValueError(f"A rewind to version {event.to_version} needs the match at that version.")
    running = clocks.moved(earlier.clocks, earlier.at, match_state.at)
    story, before = match_state.lifecycle, earlier.lifecycle
    last_moves = (it for it in before.offers.last_moves if before.players[it.seat] == story.players[it.seat])
    offers = structs.replace(story.offers, last_moves=tuple(last_moves))
    return replace(
        match_state,
        lifecycle=structs.replace(story, offers=offers),
        game_version=earlier.game_version,
        state=earlier.state,
        running=running,
    )


def _timed(game: Game, running: Clocks, event: Event, at: int) -> Clocks:
    """What an event itself does to the clocks."""
    match event:
        case TimeGiven(seat=seat, seconds=seconds):
            return clocks.give(running, seconds, seat)
        case TimeCredited(seconds=seconds):
            return clocks.credit(running, seconds, at)
        case MatchRescheduled(opens_at=opens_at):
            return structs.replace(running, opens_at=opens_at)
    for name, spec in game.clocks.items():
        if name in running.times and (seconds := spec.granted_by(event)):
            running = clocks.add_reserve(running, name, seconds)
    return running
