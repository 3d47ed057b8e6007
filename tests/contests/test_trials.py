"""Tests of trials: one contest at once, many in slices, killed and cancelled ones."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from django.utils import timezone

from games.contest.reading import Faulty
from games.contest.trial import Trial, trial
from games.kernel import Illegal
from matches import tasks
from matches.contests.models import ContestTrial
from matches.contests.reads.documents import trial_document
from matches.contests.reads.visible import NoSuchContest
from matches.contests.services import trials
from matches.workers import pruning
from tests.contests.contents import draft
from tests.table_setting import at_once, in_another_process, new_account

KILLED = """
import os
from matches.contests.services import trials
from matches.workers import pruning

add_contest = trials.add_contest

def add_until_killed(sums, *args):
    if sums.contests == 3:
        os._exit(137)
    return add_contest(sums, *args)

trials.add_contest = add_until_killed
trials.play_slice(60)
"""
"""A worker that is killed in the middle of a slice."""


class Clock:
    """A clock in place of the machine's, which goes on by `step` seconds whenever it is read."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, step: float = 0) -> None:
        self.now, self.step = 0.0, step
        monkeypatch.setattr(trials, "time", self)

    def monotonic(self) -> float:
        self.now += self.step
        return self.now


@pytest.fixture(autouse=True)
def _no_others() -> Iterator[None]:
    """Only the test's own trials wait."""
    ContestTrial.objects.all().delete()
    yield
    ContestTrial.objects.all().delete()


def start(account: Any = None, *, seats: int = 3, runs: int = 4, **parts: Any) -> ContestTrial:
    return trials.start(account=account or new_account(), draft=draft(**parts), seats=seats, runs=runs)


def played(row: ContestTrial, seconds: float = 60) -> ContestTrial:
    trials.play_slice(seconds)
    row.refresh_from_db()
    return row


def expected(seats: int = 3, runs: int = 4) -> Trial:
    return trial(draft().required(), seats, runs, trials._SEED)


def test_one_contest_is_played_at_once_with_its_course() -> None:
    course = trials.play_one(account=new_account(), draft=draft(), seats=13)
    assert course.is_whole
    assert course.sentences[0].startswith("Round 1 of ")
    assert sum(it.startswith("Player 13 ") for it in course.sentences) >= 1
    assert not ContestTrial.objects.exists()


def test_course_that_is_too_long_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "MOST_SENTENCES", 2)
    course = trials.play_one(account=new_account(), draft=draft(), seats=3)
    assert (len(course.sentences), course.is_whole) == (2, False)


def test_course_of_too_many_characters_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "MOST_CHARACTERS", 40)
    course = trials.play_one(account=new_account(), draft=draft(), seats=3)
    assert (len(course.sentences), course.is_whole) == (2, False)


def test_trial_is_played_in_slices_with_progress() -> None:
    row = start()
    assert [(it.done, it.status) for it in (played(row, 0) for _ in range(4))] == [
        (1, "running"), (2, "running"), (3, "running"), (4, "finished"),
    ]  # fmt: skip
    assert trial_document(row).result == expected()
    assert (row.content, row.sums, row.held_until) == ("", None, None)
    assert not trials.play_slice(0)


def test_trial_of_a_killed_worker_is_played_again_once_its_hold_has_ended() -> None:
    row = start()
    played(row, 0)
    killed = in_another_process(KILLED)
    assert killed.returncode == 137
    assert not trials.play_slice(60), "it is held"
    row.refresh_from_db()
    assert (row.status, row.done, row.tries) == ("running", 1, 1)
    ContestTrial.objects.filter(id=row.id).update(held_until=timezone.now() - timedelta(seconds=1))
    assert played(row).status == "finished"
    assert trial_document(row).result == expected()


def test_trial_of_which_no_slice_ends_has_failed_and_can_be_started_again() -> None:
    row = start()
    ContestTrial.objects.filter(id=row.id).update(
        held_until=timezone.now() - timedelta(seconds=1), tries=trials._MOST_TRIES
    )
    assert played(row).status == "failed"
    again = start(row.account)
    assert (again.status, played(again).status) == ("running", "finished")


def test_trial_whose_contest_raises_has_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(trials, "add_contest", fail)
    assert played(start()).status == "failed"


def test_slice_of_a_trial_that_another_worker_holds_since_is_not_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    row = start()
    add_contest = trials.add_contest

    def lose_the_hold(*args: Any) -> bool:
        ContestTrial.objects.filter(id=row.id).update(held_until=timezone.now() + timedelta(hours=1))
        return add_contest(*args)

    monkeypatch.setattr(trials, "add_contest", lose_the_hold)
    assert (played(row).done, row.status) == (0, "running")


def test_trial_that_takes_too_long_ends_with_what_was_played(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch)
    add_contest = trials.add_contest

    def take_long(sums: Any, *args: Any) -> bool:
        clock.now += 1 if sums.contests == 0 else trials.MOST_SECONDS
        return add_contest(sums, *args)

    monkeypatch.setattr(trials, "add_contest", take_long)
    row = played(start())
    assert (row.status, row.done) == ("finished", 1)
    assert trial_document(row).result == expected(runs=1)


def test_trial_of_which_no_contest_ends_in_time_has_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    Clock(monkeypatch, step=trials.MOST_SECONDS)
    assert played(start()).status == "failed"


def test_hold_is_renewed_while_a_long_contest_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    Clock(monkeypatch, step=trials._RENEWED_AFTER)
    row = start(runs=1)
    holds: list[Any] = []
    add_contest = trials.add_contest

    def look(sums: Any, content: Any, seats: int, number: int, seed: int, goes_on: Callable[[], bool]) -> bool:
        def looked_on() -> bool:
            went_on = goes_on()
            holds.append(ContestTrial.objects.get(id=row.id).held_until)
            return went_on

        return add_contest(sums, content, seats, number, seed, looked_on)

    monkeypatch.setattr(trials, "add_contest", look)
    assert played(row).status == "finished"
    assert len(holds) > 2 and holds == sorted(set(holds))


def test_worker_stops_in_the_middle_of_a_contest_once_it_has_lost_the_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    Clock(monkeypatch, step=trials._RENEWED_AFTER)
    row = start(runs=1)
    acts: list[bool] = []
    add_contest = trials.add_contest

    def lose(sums: Any, content: Any, seats: int, number: int, seed: int, goes_on: Callable[[], bool]) -> bool:
        ContestTrial.objects.filter(id=row.id).update(held_until=timezone.now() + timedelta(hours=1))
        return add_contest(sums, content, seats, number, seed, lambda: acts.append(goes_on()) or acts[-1])  # type: ignore[func-returns-value]

    monkeypatch.setattr(trials, "add_contest", lose)
    assert (played(row).status, row.done) == ("running", 0)
    assert acts.count(False) == 1 and not acts[-1]


def test_account_has_one_running_trial_at_a_time() -> None:
    account = new_account()
    row = start(account)
    assert start(account).id == row.id
    with pytest.raises(Illegal) as refused:
        start(account, runs=5)
    assert refused.value.code == "trial_running"
    played(row)
    assert start(account, runs=5).status == "running"


def test_account_that_starts_twice_at_once_has_one_trial() -> None:
    account = new_account()
    results = at_once([lambda: start(account)] * 3)
    assert len({it.id for it in results}) == 1


def test_waiting_trials_are_played_in_turn() -> None:
    first, second = start(), start()
    for _ in range(2):
        trials.play_slice(0)
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.done, second.done) == (1, 1)


def test_same_content_is_not_played_twice() -> None:
    played(start())
    row = start()
    assert (row.status, row.done, trial_document(row).result) == ("finished", 4, expected())
    assert not trials.play_slice(60)


def test_cancelled_trial_is_gone_also_for_the_worker_that_plays_it(monkeypatch: pytest.MonkeyPatch) -> None:
    row = start()
    add_contest = trials.add_contest

    def cancel_meanwhile(*args: Any) -> bool:
        ContestTrial.objects.filter(id=row.id).delete()
        return add_contest(*args)

    monkeypatch.setattr(trials, "add_contest", cancel_meanwhile)
    assert trials.play_slice(60)
    assert not ContestTrial.objects.exists()


def test_trial_belongs_to_its_account() -> None:
    row = start()
    with pytest.raises(NoSuchContest):
        trials.trial_of(new_account(), row.id)
    with pytest.raises(NoSuchContest):
        trials.cancel(account=new_account(), trial_id=row.id)
    trials.cancel(account=row.account, trial_id=row.id)
    assert not ContestTrial.objects.exists()


def test_trial_needs_a_faultless_content_and_players_within_its_bounds() -> None:
    with pytest.raises(Faulty):
        start(title="")
    for seats in (1, 31):
        with pytest.raises(Illegal) as refused:
            start(seats=seats)
        assert refused.value.code == "bad_seats"


def test_old_trials_of_an_account_go_when_it_starts_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trials, "MOST_TRIALS", 2)
    account = new_account()
    rows = []
    for runs in (2, 3, 4):
        rows.append(played(start(account, runs=runs)).id)
    assert set(ContestTrial.objects.values_list("id", flat=True)) == set(rows[1:])


def test_result_is_stored_as_json() -> None:
    row = played(start())
    assert msgspec.json.decode(row.result)["contests"] == 4


def test_task_plays_a_slice_and_ends_at_once_without_trials() -> None:
    tasks.play_trials()
    row = start()
    tasks.play_trials()
    row.refresh_from_db()
    assert row.done > 0


def test_old_trials_and_those_that_nobody_plays_are_pruned() -> None:
    finished, stuck, old, young = start(seats=5), start(seats=6), start(seats=7), start(seats=8)
    now = timezone.now()
    ContestTrial.objects.filter(id=stuck.id).update(begun_at=now - timedelta(days=2))
    for row, age in ((finished, 29), (old, 31)):
        changes = {"status": "finished", "begun_at": now - timedelta(days=age), "changed_at": now - timedelta(days=age)}
        ContestTrial.objects.filter(id=row.id).update(**changes)
    assert pruning.prune()["trials"] == 2
    assert set(ContestTrial.objects.values_list("id", flat=True)) == {finished.id, young.id}
