"""Measurement of the time until all connections of a match were sent an event, with slow and leaving readers."""

import time
from uuid import uuid4

from matches.http import metrics
from matches.realtime.access import Credential
from matches.realtime.connections import Connection
from matches.realtime.fanout import _MAX_PENDING, FanoutTimer


def counted() -> float:
    return next(it.value for it in metrics.LAST_FRAME_SECONDS.collect()[0].samples if it.name.endswith("_count"))


def connections(count: int) -> list[Connection]:
    return [Connection(None, Credential()) for _ in range(count)]


def test_fanout_is_measured_when_the_last_connection_got_it() -> None:
    timer, (one, two) = FanoutTimer(uuid4()), connections(2)
    before = counted()
    timer.notified()
    timer.dispatched(timer.reading(), [one, two])
    timer.delivered(one)
    timer.delivered(one)
    assert counted() == before
    timer.delivered(two)
    assert counted() == before + 1


def test_fanout_sent_to_all_at_once_is_measured_at_once() -> None:
    timer, before = FanoutTimer(uuid4()), counted()
    timer.notified()
    timer.dispatched(timer.reading(), [], 2)
    assert counted() == before + 1


def test_fanout_is_measured_from_its_first_notification() -> None:
    timer = FanoutTimer(uuid4())
    timer.notified()
    time.sleep(0.002)
    timer.notified()
    first = timer.reading().notified_at
    assert time.perf_counter() - first >= 0.002
    assert timer.reading().notified_at > first, "A look that nobody asked for begins by itself."


def test_slow_reader_delays_the_measurement_of_two_fanouts() -> None:
    timer, (quick, slow) = FanoutTimer(uuid4()), connections(2)
    before = counted()
    for _ in range(2):
        timer.dispatched(timer.reading(), [quick, slow])
        timer.delivered(quick)
    assert counted() == before
    timer.delivered(slow)
    assert counted() == before + 2


def test_fanout_to_nobody_is_not_measured() -> None:
    timer, before = FanoutTimer(uuid4()), counted()
    timer.dispatched(timer.reading(), [])
    assert counted() == before


def test_pending_fanouts_are_limited() -> None:
    timer, (one,) = FanoutTimer(uuid4()), connections(1)
    before = counted()
    for _ in range(3 * _MAX_PENDING):
        timer.dispatched(timer.reading(), [one])
    timer.delivered(one)
    assert counted() == before + _MAX_PENDING
