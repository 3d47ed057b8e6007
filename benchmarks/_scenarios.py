"""The scenarios of bench live that have a side of their own: each in turn on every side, in rounds."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from benchmarks import _loads, _restart
from benchmarks._loads import Measured, percentile
from benchmarks._players import Ear, Play
from benchmarks._sides import Served, Side
from benchmarks.report import Row
from games.contest.presets import load
from games.kernel import MOST_SEATS, to_json

GAMES = ("pyramid_poker", "higher_or_lower", "peeling_the_banana", "pentagram", "reality_benders")
COUNTED = {
    "CROUPIER_LIMITS": "on",
    "CROUPIER_LIMIT_COMMANDS": "1000000/second",
    "CROUPIER_LIMIT_READS": "1000000/second",
    "CROUPIER_CONNECTIONS_PER_ADDRESS": "10000",
    **{f"CROUPIER_LIVE_{of}": "100000" for of in ("PER_ACCOUNT", "PER_ADDRESS", "STRANGERS")},
}
"""Limits that are counted but never reached."""


@dataclass
class Scale:
    """The size of everything, and the configuration of the web processes."""

    rounds: int = 5
    quick: bool = False
    apart: bool = False
    limits: bool = False
    samples: dict[tuple[str, str, str], list[float]] = field(default_factory=lambda: defaultdict(list))

    def of(self, whole: int, quick: int) -> int:
        """Return a number, or the smaller one of a quick run."""
        return quick if self.quick else whole

    def serve(self, side: Side, *, webs: int = 1, worker: bool = False) -> None:
        """Start new processes and load everything that a first move loads."""
        side.serve(webs=webs, worker=worker, apart=self.apart, env=COUNTED if self.limits else {})
        for rest in (False, True):
            _loads.flat_out(side, [Play(match, rest) for match in side.matches(webs, moves=10)])

    def note(self, what: str, unit: str, side: Served, *values: float) -> None:
        """Store samples of a figure of this side."""
        self.samples[what, unit, side.name] += values

    def rows(self, sides: Sequence[Served]) -> list[Row]:
        """Return and forget all stored samples, with the sides below each other."""
        figures = [
            Row(f"{what} ({name})" if len(sides) > 1 else what, unit, tuple(values))
            for (what, unit, name), values in sorted(self.samples.items(), key=self._place)
        ]
        self.samples.clear()
        return figures

    def _place(self, item: tuple[tuple[str, str, str], Any]) -> int:
        """Return the position of a figure by its first sample, whichever side it is of."""
        return list(dict.fromkeys(what for what, *_ in self.samples)).index(item[0][0])


def flat(sides: list[Side], scale: Scale) -> Iterable[Row]:
    """50 matches flat out, over sockets and over REST."""
    yield from _flat(sides, scale, "sockets flat out", rest=False)
    yield from _flat(sides, scale, "REST flat out", rest=True)


def webs(sides: list[Side], scale: Scale) -> Iterable[Row]:
    """The sockets of `flat` with two web processes: the seats of a match at one of them, then at both."""
    yield from _flat(sides, scale, "two webs, a match's seats together", webs=2, ports=_loads.together)
    yield from _flat(sides, scale, "two webs, a match's seats apart", webs=2, ports=_loads.split)


def games(sides: list[Side], scale: Scale) -> Iterable[Row]:
    """Each game flat out over sockets, with a worker that deals."""
    for game in GAMES:
        yield from _flat(sides, scale, f"{game} flat out", game=game, worker=True)


def contest(sides: list[Side], scale: Scale) -> Iterable[Row]:
    """A contest of 30 seats flat out over REST and over sockets, each after Pyramid Poker."""
    content = to_json(load("quiet_shore"))
    for rest in (True, False):
        way = "REST" if rest else "sockets"
        yield from _flat(sides, scale, f"Pyramid Poker, {way}", rest=rest, most=10)
        yield from _flat(
            sides,
            scale,
            f"contest of {MOST_SEATS} seats, {way}",
            rest=rest,
            game="contest",
            most=10,
            seats=MOST_SEATS,
            options={"content": content},
        )


def _flat(
    sides: list[Side],
    scale: Scale,
    what: str,
    *,
    rest: bool = False,
    webs: int = 1,
    worker: bool = False,
    game: str = "pyramid_poker",
    ports: Callable[[Side], Callable[[int], list[int]]] = _loads.together,
    most: int = 50,
    **more: Any,
) -> list[Row]:
    many = min(most, scale.of(50, 5))
    for side in sides:
        scale.serve(side, webs=webs, worker=worker)
    for _ in range(scale.rounds):
        for side in sides:
            plays = [Play(match, rest) for match in side.matches(many, game=game, moves=scale.of(100, 15), **more)]
            measured = _loads.flat_out(side, plays, ports=ports(side))
            scale.note(f"{what}, {many} matches", "moves/s", side, measured.rate)
            note_cpu(scale, what, side, measured, worker)
    return scale.rows(sides)


def pace(sides: list[Side], scale: Scale) -> Iterable[Row]:
    """50 matches at 200 moves a second together, over sockets and over REST."""
    rate = scale.of(200, 20)
    for rest in (False, True):
        what = f"{'REST' if rest else 'sockets'} at {rate} moves/s"
        for side in sides:
            scale.serve(side)
        for _ in range(scale.rounds):
            for side in sides:
                plays = [Play(match, rest) for match in side.matches(scale.of(50, 5), moves=40)]
                measured, _idle = _loads.paced(side, plays, rate=rate, seconds=scale.of(6, 2))
                note_times(scale, f"{what}, {len(plays)} matches", side, measured)
                note_cpu(scale, what, side, measured)
        yield from scale.rows(sides)


def standing(sides: list[Side], scale: Scale) -> Iterable[Row]:
    """500, 1,500 and 5,000 running matches with both seats' sockets: their cost when idle and at 200 moves/s."""
    for many in (scale.of(500, 10), scale.of(1500, 20), scale.of(5000, 30)):
        what = f"{many:,} matches, {2 * many:,} sockets"
        for side in sides:
            scale.serve(side)
        lasts = scale.of(20, 2)
        prepared = {side.name: [Play(match) for match in side.matches(many, moves=12)] for side in sides}
        for side in sides:
            measured, idle = _loads.paced(
                side, prepared[side.name], rate=200, seconds=max(lasts, many / 200), idle=scale.of(8, 2)
            )
            for part in ("web", "Postgres"):
                scale.note(f"{what}: {part} at rest", "% of a core", side, 100 * idle.cpu[part] / idle.seconds)
            note_times(scale, f"{what}, at 200 moves/s", side, measured)
            note_cpu(scale, what, side, measured)
        yield from scale.rows(sides)


def spectators(sides: list[Side], scale: Scale) -> Iterable[Row]:
    """200 and 1,000 spectators of one match."""
    for many in (scale.of(200, 20), scale.of(1000, 50)):
        what = f"{many:,} spectators"
        for side in sides:
            scale.serve(side)
        for _ in range(scale.rounds):
            for side in sides:
                play, moves = Play(side.matches(1)[0]), scale.of(20, 3)
                measured = _loads.spectators(side, play, partial(Ear, play.id, side.ask("spectator")), many, moves)
                scale.note(f"{what}: all connected and greeted", "s", side, measured.connecting)
                scale.note(f"{what}: web CPU to greet one", "us", side, 1e6 * measured.greeting)
                scale.note(f"{what}: memory a socket", "KB", side, measured.memory / 1024)
                scale.note(f"{what}: move to the first", "ms", side, percentile(measured.firsts, 50))
                scale.note(f"{what}: move to the last", "ms", side, percentile(measured.lasts, 50))
                for part in ("web", "client"):
                    scale.note(f"{what}: {part} CPU a move", "ms", side, 1000 * measured.cpu[part] / moves)
        yield from scale.rows(sides)


def growth(sides: list[Side], scale: Scale) -> Iterable[Row]:
    """Moves of matches with 100 and with 3,000 events: the first, without a cache, and those after it."""
    for events in (100, scale.of(3000, 300)):
        what = f"{events:,} events a match"
        for side in sides:
            scale.serve(side)
        for _ in range(min(scale.rounds, 3)):
            for side in sides:
                plays = [Play(match) for match in side.matches(scale.of(10, 2), moves=60, events=events)]
                measured = _loads.flat_out(side, plays)
                scale.note(f"{what}: first move, median of {len(plays)}", "ms", side, percentile(measured.firsts, 50))
                scale.note(f"{what}: {len(plays)} matches flat out", "moves/s", side, measured.rate)
                note_cpu(scale, what, side, measured)
        yield from scale.rows(sides)


def stored(sides: list[Side], scale: Scale) -> Iterable[Row]:
    """50 matches flat out over sockets, with 100,000 stored events, and with 5 million."""
    for events in (scale.of(100_000, 1_000), scale.of(5_000_000, 5_000)):
        what = f"{events:,} events stored"
        for side in sides:
            scale.note(f"{what}: there are", "events", side, side.ask("fill", events=events))
            scale.serve(side)
        for _ in range(scale.rounds):
            for side in sides:
                measured = _loads.flat_out(side, [Play(match) for match in side.matches(scale.of(50, 5), moves=100)])
                scale.note(f"{what}: 50 matches flat out", "moves/s", side, measured.rate)
                note_cpu(scale, what, side, measured)
        yield from scale.rows(sides)


def restart(sides: list[Side], scale: Scale) -> Iterable[Row]:
    """A web process that is killed and restarted at once under 500 and 1,500 matches with 200 moves a second."""
    for many in (scale.of(500, 10), scale.of(1500, 20)):
        yield from _restart_under(sides, scale, many)


def _restart_under(sides: list[Side], scale: Scale, many: int) -> list[Row]:
    for _ in range(min(scale.rounds, 3)):
        for side in sides:
            scale.serve(side)
            restarted = _restart.killed_under(side, side.matches(many, moves=20), rate=scale.of(200, 20), seconds=3)
            what = f"web killed under {many:,} matches"
            scale.note(f"{what}: it listens again after", "s", side, restarted.accepts)
            scale.note(f"{what}: half of them have moved after", "s", side, restarted.moved[len(restarted.moved) // 2])
            scale.note(f"{what}: all of them have moved after", "s", side, restarted.moved[-1])
            scale.note(f"{what}: moves a second from there to there", "moves/s", side, _pace_of(restarted))
            scale.note(f"{what}: a move meanwhile, p50", "ms", side, percentile(restarted.took, 50))
            scale.note(f"{what}: a move meanwhile, longest", "ms", side, 1000 * max(restarted.took))
            for part in ("web", "Postgres"):
                scale.note(f"{what}: {part} CPU a seat", "us", side, 1e6 * restarted.cpu[part] / (2 * many))
            scale.note(f"{what}: acknowledged moves lost", "", side, restarted.lost)
    return scale.rows(sides)


def _pace_of(restarted: _restart.Restarted) -> float:
    return len(restarted.moved) / (restarted.moved[-1] - restarted.accepts)


def note_times(scale: Scale, what: str, side: Served, measured: Measured) -> None:
    scale.note(f"{what}: came to", "moves/s", side, measured.rate)
    scale.note(f"{what}: p50", "ms", side, percentile(measured.took, 50))
    scale.note(f"{what}: p99, first moves among them", "ms", side, percentile(measured.took, 99))
    scale.note(f"{what}: a match's first move, p50", "ms", side, percentile(measured.firsts, 50))
    scale.note(f"{what}: a match's first move, p99", "ms", side, percentile(measured.firsts, 99))


def note_cpu(scale: Scale, what: str, side: Served, measured: Measured, worker: bool = False) -> None:
    """Note the processor time per move of each kind of process, and of the clients."""
    for part in ("web", "Postgres", *(["worker"] if worker else []), "client"):
        scale.note(f"{what}: {part} CPU a move", "us", side, measured.us(part))


SCENARIOS: dict[str, Callable[[list[Side], Scale], Iterable[Row]]] = {
    "flat": flat,
    "pace": pace,
    "webs": webs,
    "standing": standing,
    "spectators": spectators,
    "games": games,
    "contest": contest,
    "growth": growth,
    "stored": stored,
    "restart": restart,
}
