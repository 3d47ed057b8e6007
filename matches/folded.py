"""A match at a version: its story, its game's state and its clocks, folded event by event. Pure."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from games import catalogue
from games.kernel import Due, Event, Game
from matches import clocks, happenings, lifecycle
from matches.clocks import Clocks
from matches.happenings import MatchOpened, MatchRewound, TimeCredited, TimeGiven, TruthViewed
from matches.lifecycle import Ending, Lifecycle


@dataclass(frozen=True)
class Folded:
    """A match at a version. `game_version` counts the game's own events on this line of play, `state` is its state.

    `at` is the instant of the last event in microseconds since 1970 UTC; `running` are the clocks before what
    happened at that instant, since a batch must be complete before its due tells who is on the clock. `onlookers` are
    the accounts that have looked at the truth since anything else happened.
    """

    version: int
    hash: bytes
    at: int
    lifecycle: Lifecycle
    game_version: int
    state: Any
    running: Clocks
    onlookers: tuple[str, ...] = ()

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


def opened(event: MatchOpened, *, version: int, hash: bytes, at: int) -> Folded:
    """The match after `match_opened`."""
    game = catalogue[event.game]
    return Folded(
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
        ),
    )


def evolve(
    folded: Folded, event: Event, *, version: int, hash: bytes, at: int, earlier: Folded | None = None
) -> Folded:
    """The match after one more event; `earlier` is the same witness's match at the version that a rewind leads to."""
    running = folded.running if at == folded.at else folded.clocks
    onlookers = (*folded.onlookers, event.by) if isinstance(event, TruthViewed) else ()
    moved = replace(
        folded, version=version, hash=hash, at=at, running=_timed(folded.game, running, event), onlookers=onlookers
    )
    if isinstance(event, happenings.EVENTS):
        moved = replace(moved, lifecycle=lifecycle.evolve(folded.lifecycle, event))
        return _rewound(moved, event, earlier) if isinstance(event, MatchRewound) else moved
    state = folded.game.evolve(folded.state, event)
    return replace(moved, game_version=folded.game_version + 1, state=state)


def _rewound(folded: Folded, event: MatchRewound, earlier: Folded | None) -> Folded:
    """The earlier version's game and clocks, in the story as it stands now: its players, its pause, its appeals."""
    if earlier is None or earlier.version != event.to_version:
        raise ValueError(f"A rewind to version {event.to_version} needs the match at that version.")
    running = clocks.moved(earlier.clocks, folded.at - earlier.at)
    return replace(folded, game_version=earlier.game_version, state=earlier.state, running=running)


def _timed(game: Game, running: Clocks, event: Event) -> Clocks:
    """What an event itself does to the clocks."""
    match event:
        case TimeGiven(seat=seat, seconds=seconds):
            return clocks.give(running, seconds, seat)
        case TimeCredited(seconds=seconds):
            return clocks.give(running, seconds)
    for name, spec in game.clocks.items():
        if name in running.times and (seconds := spec.granted_by(event)):
            running = clocks.add_reserve(running, name, seconds)
    return running


