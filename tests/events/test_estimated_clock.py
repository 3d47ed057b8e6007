"""The database's clock as a process carries it on: never ahead, and gone where it was told too long ago."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from events import estimated_clock, store
from events.store import StreamTransaction
from tests.events.staging import new_stream

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Watch:
    """The process's own clock, moved by hand."""

    seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Iterator[Watch]:
    """A process that has not been told any time yet."""
    held = Watch()
    monkeypatch.setattr(estimated_clock, "_reading", None)
    monkeypatch.setattr(estimated_clock, "monotonic", held)
    yield held


def test_clock_without_a_reading_is_unknown(watch: Watch) -> None:
    assert estimated_clock.now() is None


def test_a_reading_goes_on_with_the_process_until_it_is_a_second_old(watch: Watch) -> None:
    estimated_clock.record_reading(NOON)
    assert estimated_clock.now() == NOON
    watch.seconds += 0.75
    assert estimated_clock.now() == NOON + timedelta(seconds=0.75)
    watch.seconds += 0.25
    assert estimated_clock.now() is None


@pytest.mark.parametrize(
    ("slow_to_come", "known_for", "then"),
    [
        pytest.param(-0.02, 0.1, 0.02, id="a better reading is taken"),
        pytest.param(0.2, 0.1, 0.0, id="one that was slow to come is not"),
        pytest.param(0.2, 0.6, -0.2, id="but rather than none it is"),
    ],
)
def test_the_reading_that_came_fastest_is_kept(
    watch: Watch, slow_to_come: float, known_for: float, then: float
) -> None:
    estimated_clock.record_reading(NOON)
    watch.seconds += known_for
    at = NOON + timedelta(seconds=known_for)
    estimated_clock.record_reading(at - timedelta(seconds=slow_to_come))
    assert estimated_clock.now() == at + timedelta(seconds=then)


def test_transaction_updates_the_clock_which_is_never_ahead_of_the_database() -> None:
    with StreamTransaction(new_stream(length=1), actor="mira") as stream_transaction:
        arrived_at = stream_transaction.arrived_at
    carried = estimated_clock.now()
    assert carried is not None
    assert arrived_at <= carried <= store.clock()
