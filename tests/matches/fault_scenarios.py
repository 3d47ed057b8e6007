"""Trials of the clock: many deadlines, workers that are killed, commands that race their flag.

Each gives its figures and `wrong`, the sentences about what should not have happened. Tests run the short form,
`bin/bench faults` the long one.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from threading import Event as Signal
from threading import Thread, local
from time import monotonic, sleep
from typing import Any
from unittest.mock import patch
from uuid import UUID, uuid4

from celery import current_app
from django.db import connection, connections

from config.runner import parts
from events.store import StreamTransaction
from games.kernel import Illegal
from matches import services, tasks
from matches.domain.clocks import ClockTimes
from matches.models import Deadline
from matches.services import VersionMoved, playing, timing
from matches.storage import repository
from tests.table_setting import new_account

GAME = "pyramid_poker"
GRACE = 1.0
"""Seconds that `match_opened` adds to every deadline."""
LONG = 3600
FIRST = {"type": "choose_first", "seat": 0}
"""First decision of the priority seat, on the clock `choice`; then the bricks are dealt and `turn` runs."""

_FALLEN = """
SELECT started.at, fallen.at, fallen.actor, (SELECT count(*) FROM events_event e
    WHERE e.stream = started.stream AND e.type = 'flag_fallen')
FROM events_event started
LEFT JOIN events_event fallen ON fallen.stream = started.stream AND fallen.type = 'flag_fallen'
WHERE started.stream = %s AND started.type = 'match_started'
"""
_CHOSEN = "SELECT type, actor, at FROM events_event WHERE stream = %s AND type IN ('flag_fallen', 'first_chosen')"
_OVERDUE = "SELECT count(*) FROM matches_deadline WHERE match_id = ANY(%s) AND falls_at < clock_timestamp()"
_LAST = """
SELECT extract(epoch FROM max(falls_at) - clock_timestamp())::float8 FROM matches_deadline
WHERE match_id = ANY(%s) AND falls_at < clock_timestamp() + interval '10 minutes'
"""
_STARTED = "SELECT extract(epoch FROM at)::float8 FROM events_event WHERE stream = %s AND type = 'match_started'"


@dataclass(frozen=True)
class Armed:
    """A running match whose first flag falls at `base` + grace after its start, unless its player chooses."""

    match_id: UUID
    player: str
    base: int


@dataclass
class Lateness:
    """The lateness of each flag, in seconds after its deadline, and the faults."""

    seconds: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def percentile(self, percent: float) -> float:
        """The lateness that so many percent don't exceed."""
        return ranked(self.seconds, percent)


@dataclass
class Races:
    """The outcomes of commands that raced a flag."""

    accepted: int = 0
    fallen: int = 0
    overlaps: int = 0
    wrong: list[str] = field(default_factory=list)


def ranked(figures: Sequence[float], percent: float) -> float:
    """The figure that so many percent of them don't exceed."""
    return sorted(figures)[min(len(figures) - 1, int(len(figures) * percent / 100))]


def arm(base: int, players: tuple[Any, Any]) -> Armed:
    """Open and start one match."""
    opened = services.open_match(
        opener=players[0],
        game=GAME,
        options={},
        seats=[services.SeatRequest(player) for player in players],
        clocks={"choice": ClockTimes(base=base), "turn": ClockTimes(base=LONG)},
    )
    services.start(match_id=opened.match_id, by=players[0], reason="A trial.")
    return Armed(opened.match_id, str(players[0]), base)


def arm_many(count: int, first_after: float, over: float, threads: int = 4) -> list[Armed]:
    """`count` matches whose flags fall from `first_after` seconds from now on, spread over `over` seconds."""
    players = (new_account().id, new_account().id)
    first, rng = monotonic() + first_after, Random(count)
    falling = [first + rng.random() * over for _ in range(count)]

    def one(falls: float) -> Armed:
        return arm(max(1, round(falls - GRACE - monotonic())), players)

    return in_threads(threads, [lambda falls=falls: one(falls) for falls in falling])


def in_threads(threads: int, acts: Sequence[Callable[[], Any]]) -> list[Any]:
    """The acts' results, done in order by so many threads; what one raises is raised."""
    results: list[Any] = [None] * len(acts)
    numbers = iter(range(len(acts)))

    def work(_: int) -> None:
        try:
            for number in numbers:
                results[number] = acts[number]()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(work, range(threads)))
    return results


def how_late(armed: Sequence[Armed]) -> Lateness:
    """Each match's one flag: fallen once, never early, by the clock; and how late."""
    lateness = Lateness()
    for match in armed:
        started, fallen, actor, times = query(_FALLEN, [match.match_id])[0]
        if times != 1:
            lateness.wrong.append(f"{match.match_id}: {times} flags have fallen")
            continue
        late = (fallen - started).total_seconds() - match.base - GRACE
        lateness.seconds.append(late)
        if late < 0 or actor != services.CLOCK:
            lateness.wrong.append(f"{match.match_id}: {late:.6f} s after its deadline, by {actor}")
    return lateness


def query(sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """The rows of a question to the database."""
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return cursor.fetchall()


def unfallen_of(armed: Sequence[Armed]) -> int:
    """Return the number of these matches with an overdue flag, by the database's clock."""
    return int(query(_OVERDUE, [[match.match_id for match in armed]])[0][0])


def seconds_until_the_last(armed: Sequence[Armed]) -> float:
    """Seconds from now until the last of their first flags is due."""
    return max(0.0, query(_LAST, [[match.match_id for match in armed]])[0][0] or 0.0)


class Staff:
    """Celery workers and a beat, as bin/up starts them; a killed worker is started again at once.

    `skewed_by` so many seconds is the workers' clock; beat's is right.
    """

    def __init__(self, folder: Path, workers: int = 2, skewed_by: int = 0) -> None:
        logs = folder / "log"
        (folder / "run").mkdir(parents=True, exist_ok=True)
        self.workers = [parts.worker(os.environ, logs / str(number)) for number in range(workers)]
        if skewed_by:
            for worker in self.workers:
                worker.arguments[:0] = ["tests.matches.skewed", str(skewed_by)]
        self.beat = parts.beat(folder, os.environ, logs)
        self.kills = 0

    def __enter__(self) -> "Staff":
        current_app.control.purge()
        for program in (self.beat, *self.workers):
            program.launch()
        self.await_working()
        return self

    def __exit__(self, *_: object) -> None:
        for program in (self.beat, *self.workers):
            program.kill()
            if program.child:
                program.child.wait()

    def await_working(self, seconds: float = 60.0) -> None:
        """Wait until every worker takes tasks."""
        until = monotonic() + seconds
        while not all(map(self.works, self.workers)):
            assert monotonic() < until, "The workers did not start."
            sleep(0.05)

    def works(self, worker: parts.Program) -> bool:
        """True if this worker has logged that it is ready since its last start."""
        return worker.alive() and b"ready." in worker.log.read_bytes()[worker.began :]

    def kill(self, worker: parts.Program) -> None:
        """kill -9, and start it again."""
        self.kills += 1
        worker.kill()
        assert worker.child is not None
        worker.child.wait()
        worker.launch()

    def memory(self) -> list[int]:
        """The workers' resident sets in MiB."""
        return [resident(worker) for worker in self.workers]


def resident(program: parts.Program) -> int:
    """A program's resident set in MiB."""
    assert program.child is not None
    status = Path(f"/proc/{program.child.pid}/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS"))) // 1024


def kill_by_turns(staff: Staff, until: Callable[[], bool], every: float = 1.0, spared: int = 1) -> None:
    """Every so many seconds kill the worker that has worked longest, where so many others work.

    A worker that is still starting is let start: it has nothing to lose, and killing it would only make it later.
    """
    line = list(staff.workers)
    while not until():
        sleep(every)
        working = [worker for worker in line if staff.works(worker)]
        if len(working) > spared:
            staff.kill(working[0])
            line.remove(working[0])
            line.append(working[0])


_arrivals = local()


class ObservedTransaction(StreamTransaction):
    """A door that writes down when each comer arrived, by the database's clock."""

    def __enter__(self) -> Any:
        entered = super().__enter__()
        _arrivals.__dict__.setdefault("instants", []).append(self.arrived_at)
        return entered


class FlagTransaction(StreamTransaction):
    """The clock's door; it writes down when it stood open, by the process's clock."""

    stood: dict[UUID, list[tuple[float, float]]] = {}

    def __enter__(self) -> Any:
        self.came = monotonic()
        return super().__enter__()

    def __exit__(self, *raised: Any) -> None:
        super().__exit__(*raised)
        self.stood.setdefault(self.stream, []).append((self.came, monotonic()))


@contextmanager
def time_kept() -> Iterator[None]:
    """`keep_time` runs again and again in a thread."""
    ended = Signal()

    def keep() -> None:
        while not ended.is_set():
            tasks.keep_time()
            ended.wait(0.05)
        connections.close_all()

    thread = Thread(target=keep)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def race(count: int, seed: int = 1, a_second: int = 20, threads: int = 6) -> Races:
    """Send each command against its own match's flag: half within 200 ms of it, half within a few ms.

    Half of each carry the version that their sender saw.
    """
    rng, races = Random(seed), Races()
    offsets = [rng.uniform(-0.2, 0.2) if number % 2 else rng.gauss(0, 0.004) for number in range(count)]
    FlagTransaction.stood.clear()
    with (
        patch.object(playing, "open_transaction", ObservedTransaction),
        patch.object(timing, "open_transaction", FlagTransaction),
        time_kept(),
    ):
        for begin in range(0, count, 100):
            some = offsets[begin : begin + 100]
            armed = arm_many(len(some), len(some) / 60 + 1.5, len(some) / a_second)
            ahead = _by_instant(armed, some)
            for match, outcome in zip(
                [match for _, match in ahead], _all_at_their_instant(ahead, threads), strict=True
            ):
                _judge(match, outcome, races)
    return races


@dataclass(frozen=True)
class Told:
    """The outcome of a racing command: None if it was accepted, otherwise the refusal's code."""

    refusal: str | None
    arrived_at: Any
    began: float
    ended: float


def _by_instant(armed: Sequence[Armed], offsets: Sequence[float]) -> list[tuple[float, Armed]]:
    """Return the time to send each match's command, by this process's monotonic clock, in order."""
    skew, ahead = monotonic() - query("SELECT extract(epoch FROM clock_timestamp())::float8")[0][0], []
    for match, offset in zip(armed, offsets, strict=True):
        started = query(_STARTED, [match.match_id])[0][0]
        ahead.append((started + match.base + GRACE + offset + skew, match))
    return sorted(ahead, key=lambda pair: pair[0])


def _all_at_their_instant(ahead: Sequence[tuple[float, Armed]], threads: int) -> list[Told]:
    sends = [
        lambda at=at, match=match, with_version=bool(number & 2): _send_at(at, match, with_version)
        for number, (at, match) in enumerate(ahead)
    ]
    return in_threads(threads, sends)


def _send_at(instant: float, match: Armed, with_version: bool) -> Told:
    sleep(max(0.0, instant - monotonic()))
    _arrivals.instants = []
    began, refusal = monotonic(), None
    try:
        choose(match, expected=repository.load(match.match_id).version if with_version else None)
    except Illegal as illegal:
        refusal = illegal.code
    except VersionMoved:
        refusal = "version_moved"
    return Told(refusal, _arrivals.instants[0], began, monotonic())


def choose(match: Armed, key: str = "", expected: int | None = None) -> services.Accepted:
    """The priority seat's command that the first deadline waits for."""
    return services.submit(
        match_id=match.match_id, seat=0, player=match.player, command=FIRST, key=key or str(uuid4()), fingerprint=b"",
        expected=expected,
    )  # fmt: skip


def _judge(match: Armed, outcome: Told, races: Races) -> None:
    """Exactly one outcome, and the one that the arrival at the database's clock calls for."""
    started = query(_FALLEN, [match.match_id])[0][0]
    chosen = query(_CHOSEN, [match.match_id])
    flags = [row for row in chosen if row[0] == "flag_fallen"]
    own = [row for row in chosen if row[0] == "first_chosen" and row[1] == match.player]
    left = match.base + GRACE - (outcome.arrived_at - started).total_seconds()
    in_time = left >= 0
    races.accepted += outcome.refusal is None
    races.fallen += len(flags)
    races.overlaps += any(
        came < outcome.ended and went > outcome.began for came, went in FlagTransaction.stood.get(match.match_id, [])
    )
    if (len(flags), len(own)) != ((0, 1) if outcome.refusal is None else (1, 0)):
        races.wrong.append(f"{match.match_id}: {chosen}, the player was told {outcome.refusal or 'accepted'}")
    elif in_time != (outcome.refusal is None):
        races.wrong.append(
            f"{match.match_id}: arrived {left:.6f} s before its flag, told {outcome.refusal or 'accepted'}"
        )


def armed_flag(match_id: UUID) -> Any:
    """The deadline that is written down for a match."""
    return Deadline.objects.get(match_id=match_id).falls_at
