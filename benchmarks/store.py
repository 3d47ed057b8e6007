"""bench store: cost of a move and of a replay, compared with a bare INSERT and the `eventsourcing` library.

One Postgres, fsync and synchronous_commit on, all in turn, in rounds:
  floor            a psycopg loop that inserts one row like ours a transaction
  floor, at work   the floor with a client that computes before each INSERT for as long as a move does, not counted;
                   the difference is the time in which an idle server of this machine wakes up
  eventsourcing    its save() of one event an aggregate
  submit           services.submit, everything included but authentication: lock, key, load, rules, append, match row
  at once          the fast way of a socket's moves: the sender is checked too, the loop's writer stores

A single client waits for its own commit, on the fast way too; 20 clients share commits, the purpose of the writer. The
notes below the table divide the time of a move into computing and waiting, compared with the floor.
"""

import argparse
import os
import random
import time
from collections.abc import Callable, Iterator
from statistics import median, quantiles
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import psycopg
from psycopg import sql

from benchmarks import stage
from benchmarks._at_once import Clients
from benchmarks.report import Row, number, print_results

_WORK_SECONDS = 0.0005
"""Roughly the seconds of computing per move."""
_TABLE = """
CREATE TABLE {} (
    stream uuid, version integer, type text, schema smallint, public bytea, secret bytea, audience text, salt bytea,
    actor text, at timestamptz, hash bytea, PRIMARY KEY (stream, version)
)
"""
_INSERT = "INSERT INTO {} VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, now(), %s)"


def main(argv: list[str]) -> int:
    """Measure and print the results."""
    parser = argparse.ArgumentParser(
        prog="bench store", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=35)
    parser.add_argument("--moves", type=int, default=100, help="a round")
    parser.add_argument("--replays", type=int, default=11, help="of each stream")
    parser.add_argument("--events", type=int, default=10_000, help="in the long stream")
    arguments = parser.parse_args(argv)
    with stage.service() as owner_url:
        rows, notes = _moves(owner_url, arguments.rounds, arguments.moves)
        more_rows, more_notes = _replays(owner_url, arguments.replays, arguments.events)
    print_results("store", rows + more_rows, notes + more_notes)
    return 0


def _moves(owner_url: str, rounds: int, moves: int) -> tuple[list[Row], list[str]]:
    alone, together = Clients(1), Clients(20)
    floor_alone = Timed(_floor(owner_url, "floor"))
    contenders: dict[str, Callable[[int], float]] = {
        "floor: one INSERT a transaction": floor_alone,
        "floor, the client at work between": _floor(owner_url, "floor_at_work", _WORK_SECONDS),
        "eventsourcing: save() of one event": _eventsourcing(owner_url),
        "submit: a move of Pyramid Poker": _submit(),
        "at once: the same, one client alone": alone.run,
        "at once: the same, 20 clients": together.run,
    }
    for contender in contenders.values():
        contender(moves // 5)
    samples: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, contender in contenders.items():
            samples[name].append(moves / contender(moves))
    rows = [Row(name, "/s", tuple(rates)) for name, rates in samples.items()]
    floor, at_work, peer, ours, at_once, shared = samples.values()
    return rows, [
        f"the floor with a client at work is {_percent(at_work, floor)} of the floor",
        f"submit is {_ratio(ours, peer)} x eventsourcing (goal: at least 1)",
        f"submit is {_percent(ours, floor)} of the floor",
        f"at once, one client alone is {_percent(at_once, floor)} of the floor (goal: at least 50 %)",
        f"at once, 20 clients are {_percent(shared, floor)} of the floor",
        *_where_time_goes({"the floor": floor_alone, "at once, alone": alone, "at once, 20 clients": together}),
    ]


class Timed:
    """Counts the time of a contender that this process computed."""

    def __init__(self, contender: Callable[[int], float]) -> None:
        self._contender = contender
        self.moved, self.computed, self.waited = 0, 0.0, 0.0

    def __call__(self, moves: int) -> float:
        computed = time.thread_time()
        seconds = self._contender(moves)
        computed = time.thread_time() - computed
        self.moved += moves
        self.computed += computed
        self.waited += seconds - computed
        return seconds


def _where_time_goes(of: dict[str, Timed | Clients]) -> list[str]:
    """Describe how long a move of each computes and waits; and the part of the floor's rate that remains if nothing
    were computed."""
    us = {name: (1e6 * it.computed / it.moved, 1e6 * it.waited / it.moved) for name, it in of.items()}
    lines = [
        f"{name}: {computed:.0f} us computed here and {waited:.0f} us waited a move"
        for name, (computed, waited) in us.items()
    ]
    (floor_computed, floor_waited), (_, waited) = us["the floor"], us["at once, alone"]
    most = 100 * (floor_computed + floor_waited) / waited
    return [
        *lines,
        f"at once and alone, a move without computing here would reach {most:.0f} % of the floor: its statement adds "
        "the event, stores the key, updates the match's row and checks the sender, while the floor inserts one row. A "
        "single client can't be faster; several share the statement and the commit.",
    ]


def _percent(ours: list[float], others: list[float]) -> str:
    return f"{_ratio([100 * rate for rate in ours], others)} %"


def _ratio(ours: list[float], others: list[float]) -> str:
    """Return our rate divided by the other's: the median of the rounds, each compared within itself, and the quartiles
    of several rounds.

    A machine's speed changes from one minute to the next by more than the measured difference; within a round it hardly
    does.
    """
    ratios = [own / other for own, other in zip(ours, others, strict=True)]
    if len(ratios) == 1:
        return number(ratios[0])
    low, middle, high = quantiles(ratios, n=4)
    return f"{number(middle)} (half of the rounds: {number(low)} - {number(high)})"


def _floor(owner_url: str, name: str, work: float = 0.0) -> Callable[[int], float]:
    connection = psycopg.connect(owner_url, autocommit=True)
    connection.execute(sql.SQL(_TABLE).format(sql.Identifier(name)))
    insert = sql.SQL(_INSERT).format(sql.Identifier(name)).as_string()
    public, secret = b'{"brick":null,"seat":0,"type":"brick_dealt"}', b'{"brick":"10H"}'
    salt, digest, actor = os.urandom(16), os.urandom(32), str(uuid4())

    def run(moves: int) -> float:
        stream, worked = uuid4(), 0.0
        begun = time.perf_counter()
        for version in range(moves):
            worked += _busy_for(work)
            values = (stream, version, "brick_dealt", 1, public, secret, "seat:0", salt, actor, digest)
            connection.execute(insert, values)
        return time.perf_counter() - begun - worked

    return run


def _busy_for(seconds: float) -> float:
    """Compute for so long; return the exact seconds."""
    begun = time.perf_counter()
    while (worked := time.perf_counter() - begun) < seconds:
        pass
    return worked


def _library(owner_url: str) -> Any:
    """Return the application of the library on the same server."""
    from eventsourcing.application import Application

    url = urlsplit(owner_url)
    env = {
        "PERSISTENCE_MODULE": "eventsourcing.postgres",
        "POSTGRES_DBNAME": url.path.lstrip("/"),
        "POSTGRES_HOST": url.hostname or "",
        "POSTGRES_PORT": str(url.port),
        "POSTGRES_USER": url.username or "",
        "POSTGRES_PASSWORD": url.password or "",
    }
    return Application(env=env)


def _eventsourcing(owner_url: str) -> Callable[[int], float]:
    from eventsourcing.domain import Aggregate, event

    class Pyramid(Aggregate):
        """An aggregate with one event like ours."""

        @event("Placed")
        def place(self, seat: int, cell: str) -> None:
            """Place a brick."""
            self.cell = cell

    application = _library(owner_url)

    def run(moves: int) -> float:
        pyramid = Pyramid()
        application.save(pyramid)
        spent = 0.0
        for _ in range(moves):
            pyramid.place(seat=0, cell="C3")
            begun = time.perf_counter()
            application.save(pyramid)
            spent += time.perf_counter() - begun
        return spent

    return run


def _submit() -> Callable[[int], float]:
    playing = moves_to_play()

    def run(moves: int) -> float:
        spent = 0.0
        for _ in range(moves):
            spent += next(playing)
        return spent

    return run


def moves_to_play() -> Iterator[float]:
    """Play random matches between two accounts, one after the other; yield the seconds that each submit took."""
    from matches.models import Account
    from matches.services import opening
    from matches.services.playing import submit
    from matches.storage import repository

    rng = random.Random(1)
    accounts = [Account.objects.create_user(f"bench-{seat}") for seat in (0, 1)]
    seats = [opening.SeatRequest(account.id) for account in accounts]
    while True:
        opened = opening.open_match(opener=accounts[0].id, game="pyramid_poker", options={}, seats=seats)
        opening.start(match_id=opened.match_id, by=accounts[0].id, reason="")
        while (folded := repository.load(opened.match_id)).outcome is None:
            seat = folded.due.seats[0]
            command = folded.game.sample(repository.load(opened.match_id, seat).state, seat, rng)
            begun = time.perf_counter()
            submit(
                match_id=opened.match_id,
                seat=seat,
                player=str(accounts[seat].id),
                command=command,
                key=str(folded.version),
                fingerprint=b"f" * 32,
                expected=folded.version,
            )
            yield time.perf_counter() - begun


def _replays(owner_url: str, rounds: int, events: int) -> tuple[list[Row], list[str]]:
    peer, peer_id = _long_aggregate(owner_url, events)
    ours_long, ours_short = _long_stream(events), _long_stream(100)
    contenders = {
        f"eventsourcing: get() of {events:,} events": lambda: peer.repository.get(peer_id),
        f"load, chain checked, of {events:,} events": lambda: _load(ours_long),
        "load, chain checked, of 100 events": lambda: [_load(ours_short) for _ in range(20)],
    }
    counts = (events, events, 100 * 20)
    samples: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for (name, contender), count in zip(contenders.items(), counts, strict=True):
            begun = time.perf_counter()
            contender()
            samples[name].append(count / (time.perf_counter() - begun))
    rows = [Row(name, "events/s", tuple(rates)) for name, rates in samples.items()]
    peer_rates, long_rates, short_rates = samples.values()
    return rows, [
        f"replay is {_ratio(long_rates, peer_rates)} x eventsourcing (goal: at least 4)",
        f"an event costs {number(1e6 / median(long_rates))} us at {events:,} and "
        f"{number(1e6 / median(short_rates))} us at 100",
    ]


def _long_aggregate(owner_url: str, events: int) -> tuple[Any, UUID]:
    from eventsourcing.domain import Aggregate, event

    class Tally(Aggregate):
        """A counter."""

        total = 0

        @event("Counted")
        def count(self, seat: int, amount: int) -> None:
            """Add an amount."""
            self.total += amount

    globals()["Tally"] = Tally
    Tally.__qualname__ = "Tally"
    application = _library(owner_url)
    tally = Tally()
    for amount in range(events - 1):
        tally.count(seat=0, amount=amount)
    application.save(tally)
    return application, tally.id


def _long_stream(events: int) -> UUID:
    """Store a stream of so many events of a match."""
    from events.records import NewEvent
    from events.store import StreamTransaction
    from games.kernel import canonical
    from games.kernel.messages import FlagFallen

    stream, version = uuid4(), 0
    while version < events:
        batch = [
            NewEvent("flag_fallen", canonical(FlagFallen(seat=0, clock=f"turn{version + place}")))
            for place in range(min(500, events - version))
        ]
        with StreamTransaction(stream, actor="bench") as transaction:
            transaction.append(batch, expected=version)
        version += len(batch)
    return stream


def _load(stream: UUID) -> int:
    """Read, check the chain, decode into typed events, and fold."""
    import msgspec

    from events import chain, store
    from games.kernel.messages import FlagFallen

    decode = msgspec.json.Decoder(FlagFallen, strict=False).decode
    rows = store.read(stream)
    _, _, broken = chain.check(stream, rows)
    if broken:
        raise RuntimeError(str(broken))
    total = 0
    for row in rows:
        total += decode(row.public).seat
    return total
