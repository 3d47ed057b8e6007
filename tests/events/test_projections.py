"""Projections: nothing missed, nothing twice, whoever races, fails or is killed."""

from collections.abc import Iterator
from threading import Event as Signal
from threading import Thread
from time import monotonic
from uuid import UUID, uuid4

import pytest
from django.db import connections

from events import appending, projections, store
from events.projections import Superseded
from tests.events.staging import append, counted, new_stream, one, owner, whispered
from tests.events.tally import Tally
from tests.table_setting import at_once, in_another_process, wait_until
from tests.waiting import PATIENCE


@pytest.fixture
def tally() -> Iterator[Tally]:
    """A projection of the test's own."""
    Tally.set_up()
    new_tally = Tally(f"tally {uuid4()}")
    projections.register(new_tally)
    yield new_tally
    del projections._registered[new_tally.name], appending.interests[new_tally.name]
    with owner() as hand:
        hand.execute("DELETE FROM events_dirty WHERE projection = %s", [new_tally.name])


def counted_versions(stream: UUID) -> list[int]:
    """The versions that a tally must hold."""
    return [row.version for row in store.read(stream) if row.type == "counted"]


def is_dirty(tally: Tally, stream: UUID) -> bool:
    """True if the stream is marked for this projection."""
    with owner() as hand:
        question = "SELECT count(*) FROM events_dirty WHERE projection = %s AND stream = %s"
        return bool(one(hand, question, tally.name, stream))


def waiting(tally: Tally) -> int:
    """Return the number of streams that are marked for this projection."""
    return projections.lag().get(tally.name, (0, None))[0]


def test_an_append_marks_its_stream_and_the_projector_clears_the_mark(tally: Tally) -> None:
    stream = new_stream(length=4)
    assert is_dirty(tally, stream) and waiting(tally) == 1
    assert projections.project(tally.name, stream)
    assert not is_dirty(tally, stream) and waiting(tally) == 0
    assert tally.versions(1, stream) == counted_versions(stream) == [1, 3, 4]
    append(stream, [counted(5)])
    projections.catch_up()
    assert tally.versions(1, stream) == [1, 3, 4, 5]


def test_an_append_without_events_of_interest_marks_nothing(tally: Tally) -> None:
    stream = new_stream()
    append(stream, [whispered(1)])
    assert not is_dirty(tally, stream)
    append(stream, [whispered(2), counted(3)])
    projections.project(tally.name, stream)
    assert tally.versions(1, stream) == [3]


def test_a_mark_is_part_of_the_append(tally: Tally) -> None:
    stream = new_stream()
    with pytest.raises(ZeroDivisionError):
        append(stream, [counted(1)], response=lambda _: 1 / 0)
    assert not is_dirty(tally, stream)


def test_eight_writers_and_two_racing_projectors_miss_nothing_and_double_nothing(tally: Tally) -> None:
    shared = [new_stream() for _ in range(4)]
    writing = Signal()

    def write_shared(streams: list[UUID]) -> None:
        for number in range(16):
            stream = streams[number % len(streams)]
            wait_until(lambda stream=stream: _appended(stream))
            connections.close_all()

    def follow() -> None:
        while not writing.is_set() or waiting(tally):
            projections.catch_up(limit=3)
            connections.close_all()

    projectors = [Thread(target=lambda: at_once([follow])) for _ in range(2)]
    for projector in projectors:
        projector.start()
    results = at_once([lambda n=n: write_shared(shared[n % 4 :] + shared[: n % 4]) for n in range(8)])
    writing.set()
    for projector in projectors:
        projector.join()
    assert results == [None] * 8
    assert sum(len(store.read(stream)) for stream in shared) == 8 * 16
    for stream in shared:
        assert tally.versions(1, stream) == counted_versions(stream)


def test_two_projectors_do_not_take_one_stream_at_once(tally: Tally) -> None:
    stream, other = new_stream(length=3), new_stream(length=3)
    projections.catch_up()
    append(stream, [counted(4)])
    entered, go_on = Signal(), Signal()

    def hold(_: UUID) -> None:
        tally.before = lambda _: None
        entered.set()
        assert go_on.wait(PATIENCE)

    tally.before = hold
    first = Thread(target=lambda: at_once([lambda: projections.project(tally.name, stream)]))
    first.start()
    assert entered.wait(PATIENCE)
    assert projections.project(tally.name, stream) is False
    append(other, [counted(4)])
    assert projections.project(tally.name, other) is True
    go_on.set()
    first.join()
    assert not is_dirty(tally, stream)
    assert tally.versions(1, stream) == counted_versions(stream)


def test_an_event_that_comes_after_the_last_look_keeps_its_mark(tally: Tally, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = new_stream(length=3)
    read = store.read_in_pages

    def read_and_miss(*details: object, **more: object) -> Iterator[object]:
        yield from list(read(*details, **more))
        at_once([lambda: append(stream, [counted(4)])])

    monkeypatch.setattr(store, "read_in_pages", read_and_miss)
    assert projections.project(tally.name, stream)
    monkeypatch.undo()
    assert tally.versions(1, stream) == [1, 3]
    assert is_dirty(tally, stream)
    projections.catch_up()
    assert tally.versions(1, stream) == [1, 3, 4]


def test_a_stream_that_fails_stays_marked_and_holds_up_no_other(tally: Tally) -> None:
    poisoned, others = new_stream(length=1), [new_stream(length=1) for _ in range(3)]

    def refuse(stream: UUID) -> None:
        if stream == poisoned:
            raise ZeroDivisionError

    tally.before = refuse
    projections.catch_up()
    assert [tally.versions(1, stream) for stream in (poisoned, *others)] == [[], [1], [1], [1]]
    assert is_dirty(tally, poisoned) and waiting(tally) == 1
    tally.before = lambda _: None
    projections.catch_up()
    assert tally.versions(1, poisoned) == [1]


def test_streams_that_fail_go_to_the_end_and_still_count_from_when_they_fell_behind(tally: Tally) -> None:
    failing, sound = [new_stream(length=1) for _ in range(3)], new_stream(length=1)

    def fall(stream: UUID) -> None:
        if stream in failing:
            raise ZeroDivisionError

    tally.before = fall
    began = projections.lag()[tally.name][1]
    for _ in range(4):
        projections.catch_up(limit=1)
    assert tally.versions(1, sound) == [1]
    assert [is_dirty(tally, stream) for stream in (*failing, sound)] == [True, True, True, False]
    count, seconds = projections.lag()[tally.name]
    assert count == 3 and seconds >= began


@pytest.mark.slow
def test_a_projector_killed_in_its_transaction_loses_nothing(tally: Tally) -> None:
    stream = new_stream(length=4)
    killed = in_another_process(f"""
        import os
        from uuid import UUID
        from events import projections
        from tests.events.tally import Tally

        class Killed(Tally):
            def apply(self, *given):
                super().apply(*given)
                os._exit(137)

        projections.register(Killed({tally.name!r}))
        projections.project({tally.name!r}, UUID({str(stream)!r}))
    """)
    assert killed.returncode == 137, killed.stderr
    assert tally.versions(1, stream) == []
    assert is_dirty(tally, stream)
    wait_until(lambda: projections.project(tally.name, stream))
    assert tally.versions(1, stream) == counted_versions(stream)


def test_a_rebuild_beside_writers_changes_over_to_a_complete_generation(tally: Tally) -> None:
    streams = [new_stream(length=3) for _ in range(4)]
    projections.catch_up()
    readers_see: set[int] = set()

    def progress(_: int) -> None:
        current = projections.generation(tally.name)
        readers_see.add(current)
        assert all(tally.versions(current, stream)[:2] == [1, 3] for stream in streams)

    def rebuild() -> int:
        return projections.rebuild(tally.name, progress)

    def follow() -> None:
        for _ in range(10):
            projections.catch_up()
            connections.close_all()

    results = at_once([rebuild, follow, *[lambda: write_all(streams)] * 3])
    assert results == [2, None, None, None, None]
    assert readers_see == {1}
    assert projections.generation(tally.name) == 2
    wait_until(lambda: projections.catch_up() == 0 and not waiting(tally))
    for stream in streams:
        assert tally.versions(2, stream) == counted_versions(stream)
        assert len(tally.versions(2, stream)) > 3
    assert tally.generations() == [2]


def test_a_rebuild_that_broke_off_is_dropped_by_the_next(tally: Tally) -> None:
    stream = new_stream(length=3)
    projections.catch_up()
    with pytest.raises(ZeroDivisionError):
        projections.rebuild(tally.name, lambda done: 1 // (0 if done == projections.verifying.count() else 1))
    assert projections.generation(tally.name) == 1
    assert tally.generations() == [1, 2]
    append(stream, [counted(4)])
    projections.catch_up()
    assert tally.versions(1, stream) == tally.versions(2, stream) == [1, 3, 4]
    assert projections.rebuild(tally.name, lambda _: None) == 3
    assert projections.generation(tally.name) == 3
    assert tally.generations() == [3]
    assert tally.versions(3, stream) == [1, 3, 4]


def test_a_rebuild_that_breaks_off_while_it_takes_over_has_not_taken_over(
    tally: Tally, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = new_stream(length=3)
    projections.catch_up()
    with monkeypatch.context() as killing:
        killing.setattr(tally, "clear", lambda generation: 1 // 0)
        with pytest.raises(ZeroDivisionError):
            projections.rebuild(tally.name, lambda _: None)
    assert projections.generation(tally.name) == 1
    assert tally.versions(1, stream) == [1, 3]
    assert projections.rebuild(tally.name, lambda _: None) == 3
    assert tally.generations() == [3]
    assert tally.versions(3, stream) == [1, 3]


def test_nobody_sees_the_new_generation_beside_rows_of_the_old(tally: Tally, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that a rebuild killed at this moment leaves no rows that a later check would miss."""
    new_stream(length=3)
    projections.catch_up()
    clear, generations = tally.clear, []

    def look_and_clear(generation: int) -> None:
        generations.extend(at_once([lambda: projections.generation(tally.name)]))
        clear(generation)

    monkeypatch.setattr(tally, "clear", look_and_clear)
    projections.rebuild(tally.name, lambda _: None)
    assert generations == [1]
    assert (projections.generation(tally.name), tally.generations()) == (2, [2])


def test_while_a_rebuild_takes_over_no_projector_waits(tally: Tally, monkeypatch: pytest.MonkeyPatch) -> None:
    stream, clear, results = new_stream(length=3), tally.clear, []
    projections.catch_up()

    def move_on_and_clear(generation: int) -> None:
        at_once([lambda: append(stream, [counted(4)])])
        begun = monotonic()
        results.extend(at_once([lambda: projections.project(tally.name, stream)]))
        results.append(monotonic() - begun < 2)
        clear(generation)

    monkeypatch.setattr(tally, "clear", move_on_and_clear)
    projections.rebuild(tally.name, lambda _: None)
    assert results == [False, True]
    assert is_dirty(tally, stream)
    projections.catch_up()
    assert tally.versions(2, stream) == [1, 3, 4]


def test_a_rebuild_that_another_overtakes_gives_way(tally: Tally) -> None:
    streams = [new_stream(length=3) for _ in range(3)]
    projections.catch_up()
    overtaken: list[int] = []

    def overtake(done: int) -> None:
        if not overtaken:
            overtaken.append(projections.rebuild(tally.name, lambda _: None))

    with pytest.raises(Superseded):
        projections.rebuild(tally.name, overtake)
    assert overtaken == [3] and projections.generation(tally.name) == 3
    assert [tally.versions(3, stream) for stream in streams] == [[1, 3]] * 3
    assert tally.generations() == [3]


def write_all(streams: list[UUID]) -> None:
    """Four appends to each stream, whoever else writes."""
    for _ in range(4):
        for stream in streams:
            wait_until(lambda stream=stream: _appended(stream))
            connections.close_all()


def _appended(stream: UUID) -> bool:
    """True if the append succeeded; another may have been faster at a new stream."""
    try:
        append(stream, [counted(1)])
    except store.StreamConflict:
        return False
    return True
