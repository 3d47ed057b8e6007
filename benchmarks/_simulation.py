"""A discrete-event model of a house: moves queue for interpreters, processors, the database and its disk.

The duration of a step is drawn from an exponential distribution around the measured mean, so bursts and slow steps
occur. The model knows no rules of games, and of the network only the amount of data.
"""

import random
from collections.abc import Generator
from dataclasses import dataclass, field, replace
from statistics import quantiles
from typing import Any

import simpy

PULSE_SECONDS = 4.0
_AT_ONCE_SECONDS = 0.005
"""An interpreter switches to another task after at most this time."""
Steps = Generator[Any, Any, None]


@dataclass(frozen=True)
class Costs:
    """Measured costs: seconds of a processor, unless another unit is named."""

    web_alone: float
    """Per move in the web process while few others are in progress there."""
    web_crowded: float
    """Per move with `crowd` moves in progress."""
    crowd: int
    few: int
    locked: float
    """The share of it that no two threads can run at once."""
    on_path: float
    """The share of it that delays the move."""
    postgres: float
    commit: float
    """Seconds that a commit waits for the disk."""
    valkey: float
    client: float
    frame: float
    """Per move and spectator's socket."""
    greeting: float
    """Per new socket."""
    web_idle: float
    """Per second and connected match."""
    postgres_idle: float
    socket_bytes: float
    """Memory of a socket."""
    process_bytes: float
    """Memory of a web process without clients."""
    frame_bytes: float
    event_bytes: float
    """On disk per move, with its indexes."""
    key_bytes: float
    wal_bytes: float

    def web(self, under_way: int) -> float:
        """Return the cost of a move with so many in progress, which contend for the interpreter."""
        share = (min(under_way, self.crowd) - self.few) / (self.crowd - self.few)
        return self.web_alone + max(0.0, share) * (self.web_crowded - self.web_alone)


@dataclass(frozen=True)
class House:
    """Numbers of processes and processors. With `shared` processors everything runs on one machine, clients too."""

    webs: int
    postgres_cores: int
    shared: int = 0
    connections: int = 3
    """Number of moves of a web process that use the database concurrently."""


@dataclass
class Found:
    """The results of a run of the model."""

    seconds: float = 0.0
    latencies: list[float] = field(default_factory=list)
    busy: dict[str, float] = field(default_factory=dict)

    @property
    def rate(self) -> float:
        """Moves per second."""
        return len(self.latencies) / self.seconds

    def latency(self, percent: int) -> float:
        """Return a percentile of the seconds until a move was received by all watchers."""
        return quantiles(self.latencies, n=100, method="inclusive")[percent - 1]


class Model:
    """A simulated house."""

    def __init__(self, costs: Costs, house: House, *, spectators: int = 0, matches: int = 0, seed: int = 1) -> None:
        self.costs, self.house, self.spectators = costs, house, spectators
        self.env, self.rng, self.found = simpy.Environment(), random.Random(seed), Found()
        self.machine = simpy.Resource(self.env, house.shared) if house.shared else None
        self.interpreters = [simpy.Resource(self.env) for _ in range(house.webs)]
        self.slots = [simpy.Resource(self.env, house.connections) for _ in range(house.webs)]
        self.under_way = [0] * house.webs
        self.postgres = simpy.Resource(self.env, house.postgres_cores)
        self.client = simpy.Resource(self.env)
        self.committing: list[simpy.Event] = []
        self.wanted = self.env.event()
        self.busy = {"web": 0.0, "postgres": 0.0}
        self.env.process(self._disk())
        for number in range(house.webs):
            self.env.process(self._pulse(number, matches / house.webs))

    def run(self, seconds: float, *, warm_up: float = 0.0) -> Found:
        """Run for the warm-up and then so many seconds; count only what ends after the warm-up."""
        if warm_up:
            self.env.run(warm_up)
        self.found.latencies.clear()
        before = dict(self.busy)
        self.env.run(warm_up + seconds)
        self.found.seconds = seconds
        places = {"web": self.house.webs, "postgres": self.house.postgres_cores}
        self.found.busy = {name: (self.busy[name] - before[name]) / seconds / places[name] for name in places}
        return self.found

    # Sources of moves

    def play_flat_out(self, lanes: int) -> None:
        """Simulate so many matches, each of which moves as soon as it has received the move before, as
        in bench live."""

        def lane() -> Steps:
            while True:
                yield from self._at(self.client, self._drawn(self.costs.client))
                yield from self.move(0)

        for _ in range(lanes):
            self.env.process(lane())

    def play_at(self, rate: float) -> None:
        """Simulate so many moves per second, of many matches that do not wait for each other."""

        def arrive() -> Steps:
            while True:
                yield self.env.timeout(self.rng.expovariate(rate))
                self.env.process(self.move(self.rng.randrange(self.house.webs)))

        self.env.process(arrive())

    def show_final(self, every: float) -> None:
        """Simulate one match with all the spectators, spread over the web processes, with a move at this interval."""

        def final() -> Steps:
            while True:
                yield self.env.timeout(every)
                yield self.env.process(self.move(0, receivers=self.spectators))

        self.env.process(final())

    # Steps of a move

    def move(self, web: int, receivers: int = 0) -> Steps:
        """Simulate a move from the request until all have received it."""
        begun = self.env.now
        self.under_way[web] += 1
        cost = self.costs.web(self.under_way[web]) * self.costs.on_path
        yield from self._think(web, cost * 0.3)
        with self.slots[web].request() as slot:
            yield slot
            yield from self._think(web, cost * 0.2)
            yield from self._ask(self.costs.postgres * 0.85)
            yield from self._commit()
            yield from self._think(web, cost * 0.1)
        yield from self._ask(self.costs.postgres * 0.15)
        yield from self._think(web, cost * 0.4)
        if receivers:
            yield simpy.AllOf(self.env, [self.env.process(self._tell(it, receivers)) for it in range(self.house.webs)])
        self.under_way[web] -= 1
        if not self.spectators or receivers:
            self.found.latencies.append(self.env.now - begun)
        self.env.process(self._afterwards(web, self.costs.web(self.under_way[web] + 1) * (1 - self.costs.on_path)))

    def _tell(self, web: int, spectators: int) -> Steps:
        """Simulate a web process that reads the new events and sends frames to its share of the spectators."""
        if web:
            yield from self._ask(self.costs.postgres * 0.15)
            yield from self._think(web, self.costs.web_alone * 0.25)
        left = spectators / self.house.webs * self.costs.frame
        while left > 0:
            yield from self._at(self.interpreters[web], min(left, _AT_ONCE_SECONDS), "web")
            left -= _AT_ONCE_SECONDS

    def _afterwards(self, web: int, cost: float) -> Steps:
        """Simulate work that delays no client."""
        yield from self._think(web, cost)

    def _think(self, web: int, cost: float) -> Steps:
        seconds = self._drawn(cost)
        yield from self._at(self.interpreters[web], seconds * self.costs.locked, "web")
        # The rest runs concurrently with other threads.
        self.busy["web"] += seconds * (1 - self.costs.locked)

    def _ask(self, cost: float) -> Steps:
        yield from self._at(self.postgres, self._drawn(cost), "postgres")

    def _commit(self) -> Steps:
        """Wait for the disk; commits that arrive while it writes are written together next."""
        written = self.env.event()
        self.committing.append(written)
        if not self.wanted.triggered:
            self.wanted.succeed()
        yield written

    def _disk(self) -> Steps:
        while True:
            yield self.wanted
            self.wanted = self.env.event()
            batch, self.committing = self.committing, []
            yield self.env.timeout(self.costs.commit)
            for written in batch:
                written.succeed()
            if self.committing and not self.wanted.triggered:
                self.wanted.succeed()

    def _pulse(self, web: int, matches: float) -> Steps:
        """Simulate the cost of connected matches without moves."""
        yield self.env.timeout(self.rng.uniform(0, PULSE_SECONDS))
        while matches:
            left = matches * self.costs.web_idle * PULSE_SECONDS
            begun = self.env.now
            while left > 0:
                yield from self._at(self.interpreters[web], min(left, _AT_ONCE_SECONDS), "web")
                left -= _AT_ONCE_SECONDS
            yield from self._ask(matches * self.costs.postgres_idle * PULSE_SECONDS)
            yield self.env.timeout(max(0.0, begun + PULSE_SECONDS - self.env.now))

    def _at(self, resource: simpy.Resource, seconds: float, name: str = "") -> Steps:
        """Use a place of the resource for so long and, on a shared machine, a processor, too."""
        with resource.request() as place:
            yield place
            if self.machine is None:
                yield self.env.timeout(seconds)
            else:
                with self.machine.request() as processor:
                    yield processor
                    yield self.env.timeout(seconds)
        if name:
            self.busy[name] += seconds

    def _drawn(self, mean: float) -> float:
        return self.rng.expovariate(1 / mean) if mean else 0.0


def fitted(costs: Costs, *, alone: float, crowded: float) -> Costs:
    """Return the costs with those shares of locked work and of work on the path that yield the measured rates: with one
    match, and with a crowd of them."""
    for _ in range(2):
        costs = _fitted_share(costs, "locked", costs.crowd, crowded)
        costs = _fitted_share(costs, "on_path", 1, alone)
    return costs


def _fitted_share(costs: Costs, name: str, lanes: int, wanted: float) -> Costs:
    """Return the costs with the value of that share, between 0.1 and 1, that yields a rate; a larger share yields a
    lower rate."""
    low, high = 0.1, 1.0
    for _ in range(8):
        share: dict[str, Any] = {name: (low + high) / 2}
        is_faster = _rate(replace(costs, **share), lanes) > wanted
        low, high = (share[name], high) if is_faster else (low, share[name])
    return replace(costs, **share)


def _rate(costs: Costs, lanes: int) -> float:
    model = Model(costs, House(1, 2, shared=2))
    model.play_flat_out(lanes)
    return model.run(6, warm_up=1).rate
