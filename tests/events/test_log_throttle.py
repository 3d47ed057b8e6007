"""Log lines that aren't repeated."""

from events.log_throttle import LogThrottle
from tests.table_setting import at_once
from tests.waiting import wait_until


def test_the_same_is_complained_of_once_and_something_else_beside_it() -> None:
    throttle = LogThrottle()
    assert [throttle.is_due("Vienna"), throttle.is_due("Vienna"), throttle.is_due("Graz")] == [True, False, True]
    assert [throttle.is_due("Vienna", "late"), throttle.is_due()] == [True, True]


def test_lasting_problem_is_logged_again_after_a_while() -> None:
    throttle = LogThrottle(seconds=0.05)
    assert throttle.is_due("Vienna")
    wait_until(lambda: throttle.is_due("Vienna"))


def test_one_of_many_concurrent_problems_is_logged() -> None:
    throttle = LogThrottle()
    assert sorted(at_once([lambda: throttle.is_due("Vienna")] * 8)) == [False] * 7 + [True]


def test_the_oldest_of_too_many_is_forgotten() -> None:
    throttle = LogThrottle(most=2)
    assert all(throttle.is_due(number) for number in range(3))
    assert not throttle.is_due(2)
    assert throttle.is_due(0)
