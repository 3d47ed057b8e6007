"""A snapshot is a cache: it counts only where the log agrees."""

from uuid import UUID

from events import snapshots, store
from events.snapshots import Snapshot
from tests.events.staging import new_stream

REDUCER = "counter/1"


def saved(stream: UUID, version: int, state: bytes = b"state", reducer: str = REDUCER) -> Snapshot:
    """A snapshot with the hash that the log has there."""
    snapshot = Snapshot(version, store.read(stream)[version - 1].hash, state)
    snapshots.save(stream, reducer, snapshot)
    return snapshot


def test_a_snapshot_comes_back_as_it_was_saved() -> None:
    stream = new_stream(length=5)
    snapshot = saved(stream, 3, bytes(range(256)))
    assert snapshots.load(stream, REDUCER, upto=5) == snapshot
    assert snapshots.load(stream, REDUCER, upto=3) == snapshot


def test_a_snapshot_after_the_version_asked_for_does_not_count() -> None:
    stream = new_stream(length=5)
    saved(stream, 3)
    assert snapshots.load(stream, REDUCER, upto=2) is None


def test_another_reducer_or_another_stream_has_its_own() -> None:
    stream = new_stream(length=5)
    saved(stream, 3)
    assert snapshots.load(stream, "counter/2", upto=5) is None
    assert snapshots.load(new_stream(length=5), REDUCER, upto=5) is None


def test_a_snapshot_with_another_hash_than_the_log_does_not_count() -> None:
    stream = new_stream(length=5)
    rows = store.read(stream)
    snapshots.save(stream, REDUCER, Snapshot(3, rows[3].hash, b"state"))
    assert snapshots.load(stream, REDUCER, upto=5) is None


def test_a_snapshot_beyond_the_log_does_not_count() -> None:
    """Check the state after a restore of an older backup."""
    stream = new_stream(length=5)
    snapshots.save(stream, REDUCER, Snapshot(6, b"x" * 32, b"state"))
    assert snapshots.load(stream, REDUCER, upto=9) is None


def test_a_newer_snapshot_replaces_an_older_one_and_not_the_other_way_round() -> None:
    stream = new_stream(length=5)
    saved(stream, 2, b"old")
    newer = saved(stream, 4, b"new")
    saved(stream, 3, b"between")
    assert snapshots.load(stream, REDUCER, upto=5) == newer
