"""Records held against what they should be: the deal of an untouched twin, and the time of every turn."""

from dataclasses import dataclass
from itertools import groupby
from random import Random
from typing import Any
from uuid import UUID

from events import chain, store
from events.records import Recorded
from games import catalogue
from games.kernel import HOST, Chance, Table, to_json
from matches.domain import clocks, match_state
from matches.domain.clocks import SECOND, ClockTimes, Run
from matches.domain.events import TimeGiven
from matches.domain.match_state import MatchState
from matches.services import hosting, opening, playing
from matches.storage import codec, repository, seeds
from tests.table_setting import new_account, send


def running(game: str, base: int = 3600, reserve: int = 0, increment: int = 1) -> UUID:
    """A match between accounts that has begun; each of its clocks has these times."""
    rules = catalogue[game]
    players = [new_account().id for _ in range(rules.seats.min)]
    opened = opening.open_match(
        opener=players[0],
        game=game,
        options={},
        seats=[opening.SeatRequest(player) for player in players],
        clocks={name: ClockTimes(base, reserve, increment) for name in rules.clocks},
    )
    opening.start(match_id=opened.match_id, by=players[0], reason="A trial.")
    return opened.match_id


def of_the_game(match_id: UUID) -> list[Any]:
    """The stored events of the game itself, secrets and all."""
    game = repository.load(match_id).game
    return [to_json(codec.unpack(game, row, HOST)) for row in store.read(match_id) if row.type not in codec.LIFECYCLE]


def twin_of(match_id: UUID) -> list[Any]:
    """The events of a match with the same seed and the same acts at a table where nobody dies."""
    stored = repository.load(match_id)
    opened = stored.lifecycle.opened
    chance = Chance(seeds.key_of(seeds.seed_of(match_id), stored.lifecycle))
    twin = Table(stored.game, opened.options, opened.seats, opened.priority, chance)
    while twin.version < stored.game_version:
        if twin.due.dealer:
            twin.deal()
            continue
        seat = twin.due.prompts[0].seat
        twin.act(seat, twin.game.bot(twin.witness(seat), seat, Random(twin.version)))
    return twin.events(HOST)


def play_with_a_restless_host(match_id: UUID, rng: Random, acts: int) -> None:
    """Make a number of acts of the players and the dealer, with pauses and extensions at random between them."""
    host = new_account().id
    for _ in range(acts):
        stored = repository.load(match_id)
        if stored.outcome:
            return
        whim = rng.random()
        if whim < 0.2:
            hosting.pause(match_id=match_id, by=host, reason="A whim.")
            hosting.resume(match_id=match_id, by=host, reason="Another.")
        elif whim < 0.3 and stored.clocks.runs:
            seat = rng.choice(stored.clocks.runs).seat
            hosting.extend(match_id=match_id, by=host, seat=seat, seconds=rng.randint(1, 60), reason="A gift.")
        stored = repository.load(match_id)
        if stored.due.dealer:
            playing.deal(match_id=match_id, expected=stored.version)
        else:
            send(match_id, rng.choice(stored.due.prompts).seat, rng)


@dataclass
class Walked:
    """The counts of a walk along a log: ended turns, and microseconds in which the clocks stood still."""

    turns: int = 0
    standing: int = 0


def hold_the_time_together(match_id: UUID, rng: Random) -> Walked:
    """Walk along the log, its instants drawn out: each turn's time is spent or stood, and charged to the reserve.

    What stood is counted apart from the clocks: the time while the dealer was due or the match paused, and the seconds
    given. A batch is one instant.
    """
    walked, at, rows = Walked(), 0, store.read(match_id)
    now: MatchState | None = None
    stood: dict[tuple[int, str], int] = {}
    for real, batch in groupby(rows, key=lambda row: row.at):
        before, past = now, at
        at = chain.microseconds(real) if not at else at + rng.randint(1, 90 * SECOND)
        batch_rows = list(batch)
        for row in batch_rows:
            now = _advance(now, row, at)
        assert now is not None
        if before is None:
            continue
        still = before.due.dealer or before.lifecycle.paused
        for run in before.clocks.runs:
            key = run.seat, run.turn
            stood[key] = stood.get(key, 0) + (at - past if still else 0) + SECOND * _given(now, batch_rows, run)
            walked.standing += at - past if still else 0
            if key not in {(after.seat, after.turn) for after in now.clocks.runs}:
                walked.turns += 1
                _hold_the_end(before, now, run, at, at - run.began - stood.pop(key), batch_rows)
        for run in now.clocks.runs:
            assert run in before.clocks.runs or (run.seat, run.turn) in stood or run.began == at
            assert run.spent(at) + stood.get((run.seat, run.turn), 0) == at - run.began
        assert all(reserve.left >= 0 for reserve in now.clocks.reserves)
    return walked


def _advance(now: MatchState | None, row: Recorded, at: int) -> MatchState:
    """The match after one more event, as if it had happened at `at`."""
    if now is None:
        return match_state.opened(codec.unpack_opening(row), version=row.version, hash=row.hash, at=at)
    event = codec.unpack(now.game, row, HOST)
    return match_state.evolve(now, event, version=row.version, hash=row.hash, at=at, actor=row.actor)


def _given(now: MatchState, rows: list[Recorded], run: Run) -> int:
    """The seconds that these events give to a run's seat."""
    events = [codec.unpack(now.game, row, HOST) for row in rows]
    return sum(event.seconds for event in events if isinstance(event, TimeGiven) and event.seat == run.seat)


def _hold_the_end(before: MatchState, after: MatchState, run: Run, at: int, spent: int, rows: list[Recorded]) -> None:
    """A turn that has ended was charged whole increments beyond its base, as far as the reserve went."""
    assert run.spent(at) == spent
    times = before.clocks.times[run.clock]
    granted = sum(
        before.game.clocks[run.clock].granted_by(codec.unpack(before.game, row, HOST))
        for row in rows
        if row.type not in codec.LIFECYCLE
    )
    left = clocks.reserve_left(before.clocks, run.seat, run.clock) + granted
    over = max(0, spent - times.base * SECOND)
    used = -(-over // (times.increment * SECOND)) * times.increment
    assert clocks.reserve_left(after.clocks, run.seat, run.clock) == max(0, left - used)
