"""A request is stamped when it has arrived, and counts as waiting until it is handled."""

import time
from collections import deque
from collections.abc import Iterator

import pytest

from events import arrivals


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """The monotonic clock, as a list of one number that a test moves."""
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(arrivals, "_ticks", deque(maxlen=3))
    monkeypatch.setattr(arrivals, "_waiting", set())
    yield now


def turn(clock: list[float], *instants: float) -> None:
    for instant in instants:
        clock[0] = instant
        arrivals.tick()


def test_arrival_is_the_instant_of_the_stamp_when_the_loop_turns_in_time(clock: list[float]) -> None:
    turn(clock, 1000.0)
    with arrivals.awaited() as arrival:
        assert arrivals.waited() == 0
        clock[0] = 1000.1
        arrival.stamp()
        clock[0] = 1003.1
        arrival.stamp()
        assert arrivals.arrived_at() == 1000.1 and arrivals.waited() == pytest.approx(3)
    assert arrivals.arrived_at() == 1003.1 and arrivals.waited() == 0


def test_arrival_is_the_last_tick_when_the_loop_was_late(clock: list[float]) -> None:
    turn(clock, 1000.0)
    clock[0] = 1002.0
    with arrivals.awaited() as arrival:
        arrival.stamp()
        assert arrival.at == 1000.0


def test_nothing_is_settled_before_the_third_tick(clock: list[float]) -> None:
    turn(clock, 1000.0, 1000.1)
    assert arrivals.settled_until() is None
    turn(clock, 1000.2)
    assert arrivals.settled_until() == 1000.0


def test_settled_instant_stays_before_a_request_that_waits(clock: list[float]) -> None:
    turn(clock, 1000.0)
    with arrivals.awaited() as arrival:
        arrival.stamp()
        turn(clock, 1000.1, 1000.2, 1000.3, 1000.4)
        assert arrivals.settled_until() == 1000.0
    assert arrivals.settled_until() == 1000.2


def test_request_without_its_whole_body_holds_nothing_up(clock: list[float]) -> None:
    turn(clock, 1000.0)
    with arrivals.awaited():
        turn(clock, 1000.1, 1000.2, 1000.3)
        assert arrivals.settled_until() == 1000.1


def test_request_that_waits_for_a_lock_holds_others_up_for_a_second(clock: list[float]) -> None:
    turn(clock, 1000.0)
    with arrivals.awaited() as arrival:
        arrival.stamp()
        arrivals.note_locking()
        turn(clock, 1000.5, 1000.6, 1000.7)
        assert arrivals.settled_until() == 1000.0
        turn(clock, 1001.5, 1001.6, 1001.7)
        assert arrivals.settled_until() == 1001.5
