"""bench audit: cost of proofs: chains, deals, judging by the rules, checkpoints, and the newest view.

verified            events a second whose chain is checked as `manage.py verify --all` does it, on one core
verified alone      the same by the standalone verifier, from an export
deals               draws a second, drawn again by the standalone verifier
judged              acts a second, decided again by the rules
checkpoint          seconds to sign one over so many streams that have moved, and over one that has
newest view         milliseconds at 100 and at 10,000 events, for a process that hasn't seen the match
"""

import argparse
import time
from collections.abc import Callable
from functools import partial
from random import Random
from statistics import median
from typing import Any
from uuid import UUID, uuid4

from benchmarks import stage
from benchmarks.report import Row, number, print_results

_BATCH = 500


def main(argv: list[str]) -> int:
    """Measure and print the results."""
    parser = argparse.ArgumentParser(prog="bench audit", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--events", type=int, default=100_000, help="to verify")
    parser.add_argument("--streams", type=int, default=10_000, help="under a checkpoint")
    arguments = parser.parse_args(argv)
    with stage.service():
        rows, notes = _records(arguments.rounds)
        for measure in (_views, lambda r: _chains(r, arguments.events), lambda _: _checkpoints(arguments.streams)):
            more_rows, more_notes = measure(arguments.rounds)
            rows, notes = rows + more_rows, notes + more_notes
    print_results("audit", rows, notes)
    return 0


def _timed(rounds: int, count: float, act: Callable[[], object]) -> tuple[float, ...]:
    """Return the rate of each round."""
    rates = []
    for _ in range(rounds):
        begun = time.perf_counter()
        act()
        rates.append(count / (time.perf_counter() - begun))
    return tuple(rates)


def _records(rounds: int) -> tuple[list[Row], list[str]]:
    """Measure finished matches of every game: verified alone, drawn again, judged."""
    from games import catalogue
    from matches.audit import croupier_verify, export, replay

    records = [[line.decode() for line in export.export(finished_match(slug))] for slug in catalogue for _ in range(2)]
    events = sum(croupier_verify.verify(lines)["events"] for lines in records)
    judged = [replay.judged(lines) for lines in records]
    acts, draws = sum(it.acts for it in judged), [draw for it in judged for draw in it.draws]
    steps = [step for draw in draws for step in draw["steps"]]

    def draw_again() -> None:
        for draw in draws:
            stream = croupier_verify.words(b"k" * 32, draw["at"], draw["purpose"])
            for kind, items, _ in draw["steps"]:
                croupier_verify.shuffled(stream, items) if kind == "shuffled" else croupier_verify.below(stream, 30)

    return [
        Row("standalone verifier, draws included", "events/s",
            _timed(rounds, events, lambda: [croupier_verify.verify(lines) for lines in records])),
        Row("deals drawn again (a shuffle or a choice each)", "/s", _timed(rounds, len(steps), draw_again)),
        Row("judged by the rules", "acts/s",
            _timed(rounds, acts, lambda: [replay.judged(lines) for lines in records])),
    ], [f"{len(records)} matches, two of each game: {events} events, {acts} acts, {len(steps)} draws"]  # fmt: skip


def finished_match(slug: str) -> UUID:
    """Play a match between bots to its end; return its id."""
    from games import catalogue
    from matches.services import opening, playing
    from matches.storage import repository

    host = _account()
    seats = [opening.SeatRequest("bot")] * catalogue[slug].seats.min
    opened = opening.open_match(opener=host, game=slug, options={}, seats=seats)
    opening.start(match_id=opened.match_id, by=host, reason="")
    while not repository.load(opened.match_id).lifecycle.over:
        playing.attend(match_id=opened.match_id, most=1000)
    return opened.match_id


def _account() -> UUID:
    from matches.models import Account

    return Account.objects.create_user(f"bench-{uuid4().hex[:12]}").id


def _chains(rounds: int, events: int) -> tuple[list[Row], list[str]]:
    """Measure streams of a hundred events each, every third with a secret."""
    from events import verifying

    streams = [_stream(100) for _ in range(events // 100)]

    def verify() -> None:
        for stream in streams:
            fault = verifying.verify(stream)
            if fault is not None:
                raise RuntimeError(str(fault))

    row = Row(f"chain of {events:,} events verified", "events/s", _timed(rounds, events, verify))
    seconds = number(100_000 / row.median)
    return [row], [f"100,000 events are verified in {seconds} s on one core (asked for: at most 5)"]


def _stream(length: int) -> UUID:
    """Store a stream of events like those of a match."""
    from events.records import NewEvent
    from events.store import StreamTransaction

    stream, version = uuid4(), 0
    while version < length:
        batch = [
            NewEvent("brick_dealt", b'{"brick":null,"seat":0,"type":"brick_dealt"}', b'{"brick":"10H"}', "seat:0")
            if place % 3 == 0
            else NewEvent("brick_placed", b'{"cell":"C3","seat":0,"type":"brick_placed"}')
            for place in range(min(_BATCH, length - version))
        ]
        with StreamTransaction(stream, actor=str(stream)) as transaction:
            transaction.append(batch, expected=version)
        version += len(batch)
    return stream


def _views(rounds: int) -> tuple[list[Row], list[str]]:
    """Measure a match of 100 events, and one of 10,000 that its host prolongs with rulings."""
    from games.kernel import SPECTATOR
    from matches.reads import feed
    from matches.storage import repository

    def view(match: UUID) -> None:
        for _ in range(50):
            repository._cache.clear()
            feed.view(match, SPECTATOR)

    matches = {length: _long_match(length) for length in (100, 10_000)}
    for match in matches.values():
        repository.load(match, SPECTATOR)
        view(match)
    # In turn, in rounds: a machine may become twice as fast from one second to the next.
    taken: dict[int, list[float]] = {length: [] for length in matches}
    for _ in range(max(rounds, 5)):
        for length, match in matches.items():
            taken[length] += [1000 / rate for rate in _timed(1, 50, partial(view, match))]
    rows = [Row(f"newest view at {length:,} events", "ms", tuple(each)) for length, each in taken.items()]
    ratio = median(long / short for short, long in zip(*taken.values(), strict=True))
    return rows, [f"the newest view costs {number(ratio)} times as much at 10,000 events as at 100 "
                  "(asked for: at most 1.5)"]  # fmt: skip


def _long_match(length: int) -> UUID:
    from events.store import StreamTransaction
    from matches.domain.events import RulingPosted
    from matches.services import opening, playing
    from matches.storage import codec, repository

    host = _account()
    seats = [opening.SeatRequest(_account()), opening.SeatRequest(_account())]
    opened = opening.open_match(opener=host, game="pyramid_poker", options={}, seats=seats)
    opening.start(match_id=opened.match_id, by=host, reason="")
    rng = Random(1)
    for _ in range(20):
        match_state = repository.load(opened.match_id)
        seat = match_state.due.seats[0]
        command = match_state.game.sample(repository.load(opened.match_id, seat).state, seat, rng)
        playing.submit(match_id=opened.match_id, seat=seat, player=str(seats[seat].player), command=command,
                        key=str(match_state.version), fingerprint=b"")  # fmt: skip
    while (version := repository.version_of(opened.match_id)) < length:
        rulings = [codec.pack(RulingPosted(text="So be it."))] * min(_BATCH, length - version)
        with StreamTransaction(opened.match_id, actor=str(host)) as transaction:
            transaction.append(rulings, expected=version)
        repository.load(opened.match_id)
    return opened.match_id


def _checkpoints(streams: int) -> tuple[list[Row], list[str]]:
    from events.checkpoints import signing
    from events.records import NewEvent
    from events.store import StreamTransaction

    fresh: list[Any] = [_stream(1) for _ in range(streams)]
    spent = []
    for _ in range(4):
        begun = time.perf_counter()
        assert signing.sign_if_due(after_seconds=0)
        spent.append(time.perf_counter() - begun)
        with StreamTransaction(fresh[0], actor="bench") as transaction:
            transaction.append([NewEvent("counted", b"{}")], expected=transaction.version)
    begun = time.perf_counter()
    for stream in fresh[:100]:
        assert signing.prove(stream)
    proofs = (time.perf_counter() - begun) / 100
    return [
        Row(f"checkpoint over {streams:,} streams that moved", "s", (spent[0],)),
        Row(f"checkpoint over one of {streams:,} streams", "s", tuple(spent[1:])),
        Row("proof of inclusion", "ms", (1000 * proofs,)),
    ], []
