"""A stream in the archive is the stream that it was: read where the log has it no more, and removed by nobody but the
owner, who removes nothing that isn't there whole."""

import zlib
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.core.files.base import ContentFile
from psycopg.errors import InsufficientPrivilege

from events import archived, archiving, store, verifying
from events.archived import ArchiveUnavailable, Segment
from events.archiving import Broken, NotOver
from events.store import StreamTransaction
from tests.events.staging import append, counted, keys, new_stream, one, owner, tamper, versions
from tests.events.test_roles import service


def over(*_: object) -> bool:
    """Every stream here is over."""
    return True


def removed(stream: Any) -> list[Segment]:
    """The stream archived, and its events removed from the log."""
    segments = archiving.archive(stream)
    with owner() as hand:
        for segment in segments:
            archiving.remove(hand, segment, over)
    assert counted_in_log(stream) == 0
    return segments


def counted_in_log(stream: UUID) -> int:
    """Return the number of the stream's events in the log itself."""
    with owner() as hand:
        return one(hand, "SELECT count(*) FROM events_event WHERE stream = %s", stream)


def forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the archive's files from this process's cache."""
    monkeypatch.setattr(archived, "_files", archived._Files(2**20))


def test_archived_events_are_read_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = new_stream(length=12)
    before = store.read(stream)
    (segment,) = removed(stream)
    forgotten(monkeypatch)
    assert (segment.first, segment.last, segment.hash) == (1, 12, before[-1].hash)
    assert store.read(stream) == before
    assert store.read(stream, after=4, upto=9) == before[4:9]
    assert store.read(stream, after=4, limit=3) == before[4:7]
    assert store.read(stream, after=12) == []
    assert store.read_at({stream: (2, 11)})[stream] == [before[1], before[10]]
    assert [len(page) for page in store.read_in_pages(stream, page=5)] == [5, 5, 2]
    assert store.aged(stream, 3600) == 12
    assert verifying.verify(stream) is None and stream not in verifying.headless()


def test_a_stream_goes_on_after_it_was_archived_and_is_archived_from_there() -> None:
    stream = new_stream(length=3)
    removed(stream)
    append(stream, [counted(4), counted(5)])
    assert versions(stream) == [1, 2, 3, 4, 5]
    assert store.read(stream, after=1, limit=3) == store.read(stream)[1:4]
    assert [(it.first, it.last) for it in archiving.archive(stream)] == [(4, 5)]
    assert archiving.archive(stream) == []
    assert verifying.verify(stream) is None


def test_keys_go_with_the_events_and_later_ones_stay() -> None:
    stream = new_stream(length=2)
    with StreamTransaction(stream, actor="mira", key="early") as it:
        it.append([counted(3)], expected=2, fingerprint=b"f", response=lambda _: b"{}")
    removed(stream)
    with StreamTransaction(stream, actor="mira", key="late") as it:
        it.append([counted(4)], expected=3, fingerprint=b"f", response=lambda _: b"{}")
    assert keys(stream) == 1


def test_a_long_stream_is_put_away_in_several_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archiving, "_MOST_EVENTS", 4)
    stream = new_stream(length=10)
    before = store.read(stream)
    assert [(it.first, it.last) for it in removed(stream)] == [(1, 4), (5, 8), (9, 10)]
    assert store.read(stream, after=3) == before[3:]


def test_stream_archived_twice_is_recorded_once() -> None:
    stream = new_stream(length=4)
    (segment,) = archiving.archive(stream)
    archived.storage().delete(segment.name)
    archived.storage().save(segment.name, ContentFile(b"cut sho"))
    with owner() as hand, pytest.raises(ArchiveUnavailable):
        archiving.remove(hand, segment, over)
    assert versions(stream) == [1, 2, 3, 4]


def test_a_file_that_was_left_half_written_is_left_and_another_one_is_written() -> None:
    stream = new_stream(length=4)
    rows = store.read(stream)
    left = archiving._put(stream, rows)
    archived.storage().delete(left.name)
    archived.storage().save(left.name, ContentFile(b"cut sho"))
    (segment,) = archiving.archive(stream)
    assert archived.unpacked(archived.fetched(segment)) == rows


def test_two_who_archive_at_once_with_an_append_between_note_each_version_once(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = new_stream(length=4)
    put = archiving._put

    def overtaken(of_stream: Any, rows: Any) -> Segment:
        monkeypatch.setattr(archiving, "_put", put)
        append(stream, [counted(5)])
        archiving.archive(stream)
        return put(of_stream, rows)

    monkeypatch.setattr(archiving, "_put", overtaken)
    assert archiving.archive(stream) == []
    segments = archived.segments(store.raw_connection(), stream, 0, 5)
    with owner() as hand:
        for segment in segments:
            archiving.remove(hand, segment, over)
    assert [(it.first, it.last) for it in segments] == [(1, 5)]
    assert versions(stream) == [1, 2, 3, 4, 5] and verifying.verify(stream) is None


NOTES = {
    "a version that isn't there": (1, 2_000_000_000, b"h"),
    "another hash": (1, 2, b"h"),
}


@pytest.mark.parametrize("what", NOTES)
def test_the_service_notes_nothing_that_the_log_does_not_have(what: str) -> None:
    stream = new_stream(length=4)
    first, last, hash = NOTES[what]
    with service() as hand:
        with pytest.raises(psycopg.errors.IntegrityError):
            hand.execute("SELECT events_note_archived(%s, %s, %s, %s, 'd', 1, 'n')", [stream, first, last, hash])
        row = "INSERT INTO events_archived VALUES (%s, 1, 4, 'h', 'd', 1, 'n', now() - interval '1 year')"
        with pytest.raises(InsufficientPrivilege):
            hand.execute(row, [stream])
    assert archiving.archive(stream)


def test_the_service_notes_no_version_twice() -> None:
    stream = new_stream(length=4)
    (segment,) = archiving.archive(stream)
    query = "SELECT events_note_archived(%s, 1, 4, %s, 'd', 1, 'n')"
    with service() as hand:
        assert one(hand, query, stream, segment.hash) is False


@pytest.mark.parametrize("fault", ["another file", "no file"])
def test_a_file_is_believed_by_its_digest_alone(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = new_stream(length=4)
    (segment,) = removed(stream)
    forgotten(monkeypatch)
    whole = archived.fetched(segment)
    archived.storage().delete(segment.name)
    if fault == "another file":
        forged = [row._replace(actor="mallory") for row in archived.unpacked(whole)]
        archived.storage().save(segment.name, ContentFile(archived.packed(forged)))
    with pytest.raises(ArchiveUnavailable):
        store.read(stream)
    broken = verifying.verify(stream)
    assert broken is not None and broken.stream == stream
    archived.storage().delete(segment.name)
    archived.storage().save(segment.name, ContentFile(whole))
    assert verifying.verify(stream) is None


def test_a_stream_that_does_not_hold_together_stays_where_it_is() -> None:
    stream = new_stream(length=4)
    tamper(lambda hand: hand.execute("UPDATE events_event SET actor = 'x' WHERE stream = %s AND version = 3", [stream]))
    with pytest.raises(Broken, match="3"):
        archiving.archive(stream)
    assert archiving.archive(new_stream(length=1))


def test_nothing_is_removed_that_the_file_does_not_hold() -> None:
    stream = new_stream(length=4)
    (segment,) = archiving.archive(stream)
    other = archiving._put(stream, [row._replace(actor="mallory") for row in store.read(stream)])
    with owner() as hand, pytest.raises(ArchiveUnavailable):
        archiving.remove(hand, segment._replace(name=other.name, digest=other.digest), over)
    assert versions(stream) == [1, 2, 3, 4]


def test_a_stream_that_goes_on_keeps_its_events() -> None:
    stream = new_stream(length=4)
    (segment,) = archiving.archive(stream)
    with owner() as hand, pytest.raises(NotOver, match=str(stream)):
        archiving.remove(hand, segment, lambda of, read: len(read(of)) > 4)
    assert counted_in_log(stream) == 4
    append(stream, [counted(5)])
    with owner() as hand:
        archiving.remove(hand, segment, lambda of, read: len(read(of)) > 4)
    assert counted_in_log(stream) == 1


def test_removal_reads_archived_events_too_and_locks_the_stream() -> None:
    early, other = new_stream(length=3), new_stream(length=2)
    removed(early)
    append(early, [counted(4)])
    (segment,) = archiving.archive(early)
    versions_read: list[int] = []

    def is_over(stream: UUID, read: archiving.Read) -> bool:
        versions_read.extend(row.version for row in read(stream))
        versions_read.extend(row.version for row in read(other))
        for locked in (early, other):
            with owner() as hand, pytest.raises(psycopg.errors.LockNotAvailable):
                hand.execute("SELECT FROM events_head WHERE stream = %s FOR UPDATE NOWAIT", [locked])
        return True

    with owner() as hand:
        archiving.remove(hand, segment, is_over)
    assert versions_read == [1, 2, 3, 4, 1, 2]


def test_the_owner_removes_no_event_that_is_not_noted_and_the_service_none_at_all() -> None:
    stream = new_stream(length=4)
    archiving.archive(stream)
    append(stream, [counted(5)])
    statement = "DELETE FROM events_event WHERE stream = %s"
    with owner() as hand, pytest.raises(InsufficientPrivilege, match="append-only"):
        hand.execute(statement, [stream])
    with service() as hand, pytest.raises(InsufficientPrivilege):
        hand.execute(f"{statement} AND version < 5", [stream])
    assert versions(stream) == [1, 2, 3, 4, 5]


def test_the_service_can_not_take_a_note_back() -> None:
    stream = new_stream(length=1)
    archiving.archive(stream)
    for statement in (
        "DELETE FROM events_archived",
        "UPDATE events_archived SET bytes = 0",
        "TRUNCATE events_archived",
    ):
        with service() as hand, pytest.raises(psycopg.Error):
            hand.execute(statement)
        with owner() as hand, pytest.raises(InsufficientPrivilege, match="append-only"):
            hand.execute(statement)


def test_files_are_compressed_and_for_the_service_alone() -> None:
    stream = new_stream(length=4)
    (segment,) = archiving.archive(stream)
    path = Path(archived.storage().path(segment.name))
    assert path.stat().st_mode & 0o077 == 0 and path.stat().st_size == segment.bytes
    assert zlib.decompress(path.read_bytes())
