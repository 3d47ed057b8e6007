"""Complaints that aren't repeated."""

from events.log_throttle import Complaints
from tests.table_setting import at_once
from tests.waiting import wait_until


def test_the_same_is_complained_of_once_and_something_else_beside_it() -> None:
    complaints = Complaints()
    assert [complaints.is_due("Vienna"), complaints.is_due("Vienna"), complaints.is_due("Graz")] == [True, False, True]
    assert [complaints.is_due("Vienna", "late"), complaints.is_due()] == [True, True]


def test_what_lasts_is_complained_of_again() -> None:
    complaints = Complaints(seconds=0.05)
    assert complaints.is_due("Vienna")
    wait_until(lambda: complaints.is_due("Vienna"))


def test_of_many_at_once_one_complains() -> None:
    complaints = Complaints()
    assert sorted(at_once([lambda: complaints.is_due("Vienna")] * 8)) == [False] * 7 + [True]


def test_the_oldest_of_too_many_is_forgotten() -> None:
    complaints = Complaints(most=2)
    assert all(complaints.is_due(number) for number in range(3))
    assert not complaints.is_due(2)
    assert complaints.is_due(0)
