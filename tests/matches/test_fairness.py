"""No account's matches hold up another's: whose turn it is, and that nobody's is forgotten."""

from collections import Counter
from collections.abc import Iterator
from threading import Event, Lock
from typing import Any
from uuid import UUID, uuid4

import pytest

from matches import tasks
from matches.domain.fair_queue import FairQueue, Work
from matches.models import Account, Match
from matches.reads import selectors
from matches.services import playing
from matches.workers.worker_threads import WorkerThreads
from tests.table_setting import BOT, new_account, running_match, wait_until
from tests.waiting import PATIENCE

GREEDY, OTHER, THIRD = uuid4(), uuid4(), uuid4()


def works(owner: UUID, count: int, *, alone: bool = True) -> list[Work]:
    return [Work(uuid4(), owner, alone) for _ in range(count)]


def queue_of(*lists: list[Work], **more: int) -> FairQueue:
    queue = FairQueue(**more)
    for work in (it for them in lists for it in them):
        queue.put(work)
    return queue


def served(queue: FairQueue, count: int, *, more: bool = True) -> list[Work]:
    """Return the work of the next turns; with `more`, each continues to wait afterwards."""
    order = []
    for _ in range(count):
        work = queue.take()
        assert work is not None
        order.append(work)
        queue.done(work, more=more)
    return order


def test_person_is_served_next_however_many_bot_matches_wait() -> None:
    queue = queue_of(works(GREEDY, 137))
    served(queue, 50)
    (person,) = works(OTHER, 1, alone=False)
    queue.put(person)
    assert served(queue, 1) == [person]


@pytest.mark.parametrize("alone", [False, True])
def test_each_owner_gets_one_turn_per_round(alone: bool) -> None:
    queue = queue_of(works(GREEDY, 137, alone=alone), works(OTHER, 1, alone=alone), works(THIRD, 2, alone=alone))
    turns = Counter(work.owner for work in served(queue, 30))
    assert turns == {GREEDY: 10, OTHER: 10, THIRD: 10}


def test_matches_of_one_owner_take_turns() -> None:
    mine = works(GREEDY, 5)
    assert served(queue_of(mine), 10) == mine * 2


def test_bot_matches_are_served_while_people_play_without_a_pause() -> None:
    queue = queue_of(works(GREEDY, 10, alone=False), works(OTHER, 10), turns=4)
    alone = [work.alone for work in served(queue, 50)]
    assert sum(alone) == 10 and alone.index(True) == 4


def test_worker_for_people_gets_no_bot_match() -> None:
    (person,), queue = works(OTHER, 1, alone=False), queue_of(works(GREEDY, 3))
    assert queue.take(alone=False) is None and not queue.has_work(alone=False)
    queue.put(person)
    assert queue.take(alone=False) == person


def test_queued_match_waits_once_and_is_served_by_one_worker() -> None:
    (work,) = works(OTHER, 1)
    queue = queue_of([work] * 5)
    assert queue.take() == work and queue.take() is None
    queue.put(work)
    queue.put(work)
    assert queue.take() is None, "It is being served."
    queue.done(work, more=False)
    assert served(queue, 1, more=False) == [work], "What it was put for came too late for who served it."
    assert queue.take() is None and len(queue) == 0


def test_match_joined_by_a_person_moves_to_the_queue_of_people() -> None:
    others, (work,) = works(GREEDY, 20), works(OTHER, 1)
    queue = queue_of(others, [work])
    queue.put(work._replace(alone=False))
    assert served(queue, 1, more=False) == [work._replace(alone=False)]
    assert len(queue) == 20


def test_full_queue_drops_only_matches_among_bots() -> None:
    queue = queue_of(works(GREEDY, 20), works(OTHER, 5, alone=False), most_alone=10)
    assert len(queue) == 15


def test_people_are_served_while_bots_keep_their_thread_busy() -> None:
    (bots, more_bots), (person,) = works(GREEDY, 2), works(OTHER, 1, alone=False)
    order, lock, go_on = [], Lock(), Event()

    def serve(match_id: UUID) -> None:
        with lock:
            order.append(match_id)
        assert match_id == person.match_id or go_on.wait(PATIENCE)

    worker_threads = WorkerThreads(serve, threads=3, for_bots_alone=1)
    try:
        worker_threads.attend_to([bots, more_bots])
        wait_until(lambda: order)
        worker_threads.attend_to([person])
        wait_until(lambda: len(order) == 2)
        assert order == [bots.match_id, person.match_id]
        go_on.set()
        wait_until(lambda: len(order) == 3)
    finally:
        go_on.set()
        worker_threads.stop()
    worker_threads.attend_to(works(OTHER, 1))
    assert not any(thread.is_alive() for thread in worker_threads._threads), "Who has stopped begins nothing."


@pytest.fixture
def quiet(woken: list[UUID], monkeypatch: pytest.MonkeyPatch) -> Iterator[WorkerThreads]:
    """The worker's attendants, who serve when they are told to."""
    worker_threads = WorkerThreads(tasks._serve, threads=0)
    monkeypatch.setattr(tasks, "worker_threads", worker_threads)
    yield worker_threads


def test_bot_answers_a_person_at_once_beside_many_bot_matches(
    quiet: WorkerThreads, monkeypatch: pytest.MonkeyPatch
) -> None:
    greedy, person, order = new_account(), new_account(), []
    crowd = [running_match("pentagram", opener=greedy) for _ in range(25)]
    attend = playing.attend

    def noted(*, match_id: UUID, most: int, **how: Any) -> int:
        order.append(match_id)
        assert most < 10, "A turn is short."
        return attend(match_id=match_id, most=most, **how)

    monkeypatch.setattr(playing, "attend", noted)
    for match in crowd:
        tasks.attend(str(match.id))
    for _ in range(10):
        quiet.serve_next()
    mine = running_match("pyramid_poker", BOT, person, opener=person)
    tasks.attend(str(mine.id))
    quiet.serve_next()
    assert order[-1] == mine.id and len(set(order)) == 11


def test_bot_matches_are_played_to_the_end_in_turns(quiet: WorkerThreads) -> None:
    matches = [running_match("pyramid_poker", opener=opener) for opener in (new_account(), new_account())]
    for match in matches:
        tasks.attend(str(match.id))
    while quiet.serve_next():
        pass
    assert {Match.objects.get(id=match.id).status for match in matches} == {"finished"}


def test_sweep_finds_one_match_of_each_owner_before_a_second_of_any(woken: list[UUID]) -> None:
    greedy, other, person = new_account(), new_account(), new_account()
    crowd = {running_match("pentagram", opener=greedy).id for _ in range(30)}
    with_bots = running_match("pentagram", opener=other).id
    with_person = running_match("pyramid_poker", BOT, person, opener=greedy).id
    mine = crowd | {with_bots, with_person}
    Match.objects.filter(id__in=mine).update(changed_at="2020-01-01T00:00Z")
    matches = [it for it in selectors.matches_that_wait_for_the_house(most=10**6) if it in mine]
    assert matches[0] == with_person and with_bots in matches[:3] and set(matches) == mine


def test_work_is_assigned_to_the_opener_of_the_match(woken: list[UUID], host: Account) -> None:
    alone, with_people = running_match("pentagram", opener=host), running_match("pyramid_poker", BOT, host, opener=host)
    work = selectors.work_of([with_people.id, alone.id, uuid4()])
    assert work == [Work(with_people.id, host.id, alone=False), Work(alone.id, host.id, alone=True)]
