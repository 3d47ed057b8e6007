"""Backups are chosen by their instants, nothing is written over, and what goes wrong is told without a password."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from config.backups import folder, programs, recovery, taking
from config.backups.folder import Backup
from config.backups.management.commands.backup import owner_url
from config.backups.programs import BackupFailed

NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)
FIRST = "0000000100000000000000FE"


def store_backup(place: Path, name: str, ended_at: datetime) -> Backup:
    """Store a backup in a folder of its name."""
    backup = Backup(name, ended_at - timedelta(minutes=1), ended_at, 18, "croupier", "croupier", "0.2.0", FIRST)
    (place / "base" / name).mkdir(parents=True)
    backup.keep(place / "base" / name)
    return backup


@pytest.fixture
def two(tmp_path: Path) -> Iterator[tuple[Path, Backup, Backup]]:
    """A folder with two backups and one that was never done."""
    (tmp_path / "base" / "20261124T125900Z.part").mkdir(parents=True)
    yield tmp_path, store_backup(tmp_path, "early", NOON), store_backup(tmp_path, "late", NOON + timedelta(hours=1))


def test_the_newest_backup_that_ended_before_the_instant_is_chosen(two: tuple[Path, Backup, Backup]) -> None:
    place, early, late = two
    assert folder.backups(place) == [early, late]
    assert folder.chosen(place, None, None) == late
    assert folder.chosen(place, NOON + timedelta(minutes=59), None) == early
    assert folder.chosen(place, NOON, None) == early
    assert folder.chosen(place, None, "early") == early


@pytest.mark.parametrize(
    ("to", "name", "message"),
    [
        (NOON - timedelta(seconds=1), None, "the earliest, early, at 2026-11-24 12:00"),
        (NOON, "late", "No backup ended before"),
        (None, "other", "holds no backup other"),
    ],
)
def test_restore_says_that_no_backup_fits(
    two: tuple[Path, Backup, Backup], to: datetime | None, name: str | None, message: str
) -> None:
    with pytest.raises(BackupFailed, match=message):
        folder.chosen(two[0], to, name)


def test_folder_without_backups_is_refused_with_a_remedy(tmp_path: Path) -> None:
    with pytest.raises(BackupFailed, match=r"holds no backup: `manage\.py backup"):
        folder.backups(tmp_path)


def test_the_log_goes_on_from_the_backup_and_a_gap_is_found(two: tuple[Path, Backup, Backup]) -> None:
    place, early, _ = two
    names = [FIRST, "0000000100000000000000FF", "000000010000000100000000", "000000010000000100000001.partial"]
    (place / "wal").mkdir()
    for name in [*names, "0000000100000000000000FD", "00000002.history", "archive_status"]:
        (place / "wal" / name).touch()
    segments = folder.log_from(place, early)
    assert [path.name for path in segments] == sorted([*names, "00000002.history"])
    assert folder.missing(segments, early) is None
    (place / "wal" / names[2]).unlink()
    assert folder.missing(folder.log_from(place, early), early) == names[2]


def with_log(place: Path, first_segment: str, histories: dict[str, str], *segments: str) -> Backup:
    """A backup with this log in its folder; a segment is named by its timeline and its number."""
    (place / "wal").mkdir()
    for name in segments:
        (place / "wal" / segment(name)).touch()
    for name, text in histories.items():
        (place / "wal" / f"0000000{name}.history").write_text(text)
    return replace(store_backup(place, "backup", NOON), first_segment=segment(first_segment))


def segment(name: str) -> str:
    """The file of a segment such as 2-05 or 2-05.partial."""
    timeline, _, number = name.partition("-")
    return f"0000000{timeline}00000000000000{number}"


def in_short(parts: list[Path]) -> list[str]:
    return [f"{path.name[7]}{path.name[8:] if path.suffix == '.history' else '-' + path.name[22:]}" for path in parts]


FORKED_IN_05 = "1\t0/5000198\tbefore 2026-11-24 12:00:00+00\n\n"


def test_log_of_a_backup_on_a_later_timeline_is_whole(tmp_path: Path) -> None:
    backup = with_log(tmp_path, "2-05", {"2": FORKED_IN_05}, "2-05", "2-06", "2-07.partial")
    log = folder.log_from(tmp_path, backup)
    assert in_short(log) == ["2.history", "2-05", "2-06", "2-07.partial"]
    assert folder.missing(log, backup) is None
    assert folder.target_timeline(log, backup) == "current"
    (tmp_path / "wal" / segment("2-06")).unlink()
    log = folder.log_from(tmp_path, backup)
    assert folder.missing(log, backup) == segment("2-06")
    assert in_short(folder.before(log, segment("2-06"))) == ["2.history", "2-05"]


def test_log_continues_on_the_timeline_of_a_restore(tmp_path: Path) -> None:
    """The restore went back to an instant in segment 5; what timeline 1 logged after it isn't replayed."""
    old = ("1-03", "1-04", "1-05", "1-06", "1-07.partial")
    backup = with_log(tmp_path, "1-04", {"2": FORKED_IN_05}, *old, "2-05", "2-06.partial")
    log = folder.log_from(tmp_path, backup)
    assert in_short(log) == ["1-04", "2.history", "2-05", "2-06.partial"]
    assert folder.missing(log, backup) is None
    assert folder.target_timeline(log, backup) == "2"
    (tmp_path / "wal" / segment("2-05")).unlink()
    log = folder.log_from(tmp_path, backup)
    assert folder.missing(log, backup) == segment("2-05")
    rest = folder.before(log, segment("2-05"))
    assert in_short(rest) == ["1-04", "2.history"]
    assert folder.target_timeline(rest, backup) == "current"


@pytest.mark.parametrize(
    ("first_segment", "histories", "parts"),
    [
        ("1-05", {"2": FORKED_IN_05}, ["1-05", "1-06.partial", "2.history"]),
        ("1-04", {"2": ""}, ["1-04", "1-05", "1-06.partial", "2.history"]),
        ("1-04", {"3": FORKED_IN_05}, ["1-04", "1-05", "1-06.partial", "3.history"]),
    ],
    ids=["it began before the backup", "its history is empty", "it has no segments"],
)
def test_timeline_that_does_not_continue_the_backup_is_ignored(
    tmp_path: Path, first_segment: str, histories: dict[str, str], parts: list[str]
) -> None:
    backup = with_log(tmp_path, first_segment, histories, "1-04", "1-05", "1-06.partial", "2-05", "2-06")
    log = folder.log_from(tmp_path, backup)
    assert in_short(log) == parts
    assert folder.missing(log, backup) is None
    assert folder.target_timeline(log, backup) == "current"


@pytest.mark.parametrize(
    ("second_fork", "parts"),
    [
        ("0/5000300", ["1-04", "3-05", "3-06"]),
        ("0/6000000", ["1-04", "2-05", "3-06"]),
        ("0/4000300", ["3-04", "3-05", "3-06"]),
    ],
    ids=["in the same segment", "at the beginning of the next", "before the first restore's instant"],
)
def test_log_continues_over_two_restores(tmp_path: Path, second_fork: str, parts: list[str]) -> None:
    histories = {"2": FORKED_IN_05, "3": f"{FORKED_IN_05}2\t{second_fork}\tno recovery target specified\n"}
    segments = [f"{timeline}-{number}" for timeline in "123" for number in ("04", "05", "06")]
    backup = with_log(tmp_path, "1-03", histories, "1-03", *segments)
    log = folder.log_from(tmp_path, backup)
    assert [it for it in in_short(log) if "history" not in it] == ["1-03", *parts]
    assert folder.missing(log, backup) is None
    assert folder.target_timeline(log, backup) == "3"


def test_nothing_that_exists_is_restored_over(tmp_path: Path) -> None:
    (tmp_path / "postgres").mkdir()
    (tmp_path / "postgres" / "anything").touch()
    with pytest.raises(BackupFailed, match="holds something already, and nothing was changed"):
        recovery.refuse_unfit(tmp_path, None)
    (tmp_path / "postgres" / "anything").unlink()
    with pytest.raises(BackupFailed, match="without its seed_key"):
        recovery.refuse_unfit(tmp_path, None)
    with pytest.raises(BackupFailed, match="holds no seed_key"):
        recovery.refuse_unfit(tmp_path, tmp_path)
    (tmp_path / "seed_key").touch()
    recovery.refuse_unfit(tmp_path, tmp_path)


@pytest.mark.parametrize("text", ["yesterday", "2026-11-24", "2026-11-24T12:00:00", ""])
def test_an_instant_has_its_zone(text: str) -> None:
    with pytest.raises(BackupFailed, match="an instant with its zone"):
        taking.instant_of(text)
    assert taking.instant_of("2026-11-24T13:00:00+01:00") == NOON


def test_password_is_on_no_command_line(tmp_path: Path) -> None:
    lines: list[str] = []
    shows = ["/bin/sh", "-c", 'echo "$*" >&2; echo "$PGPASSWORD" >&2; exit 3', "sh"]
    with pytest.raises(BackupFailed) as failed:
        programs.run(shows, "postgresql://me:hunter2@db1,db2/x", lines.append)
    assert "hunter2" not in lines[0] and "host=db1,db2" in lines[0]
    assert lines[1] == "hunter2"
    assert "sh: " in str(failed.value)


@pytest.mark.parametrize(
    ("output", "remedy"),
    [
        ("FATAL:  permission denied to start WAL sender", "ALTER ROLE owner REPLICATION"),
        ("FATAL:  no pg_hba.conf entry for replication connection", "host replication OWNER ADDRESS"),
        ("could not write to file: No space left on device", "The disk is full"),
        ("something else", "pg_basebackup: something else"),
    ],
)
def test_last_output_of_a_program_becomes_a_remedy(output: str, remedy: str) -> None:
    assert remedy in programs.in_words("pg_basebackup", ["", output])


def test_missing_server_programs_are_refused_with_a_remedy() -> None:
    with pytest.raises(BackupFailed, match="apt-get install postgresql-99"):
        programs.folder_of(99)


def test_backup_without_a_database_is_refused_with_a_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DATABASE_URL", "DATABASE_OWNER_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CROUPIER_DATA", str(tmp_path))
    with pytest.raises(BackupFailed, match="set DATABASE_OWNER_URL, or start bin/up"):
        owner_url()
    monkeypatch.setenv("DATABASE_OWNER_URL", "postgresql://127.0.0.1:1/nowhere")
    with pytest.raises(BackupFailed, match="can't be reached"):
        taking.take(tmp_path, owner_url(), lambda _done, _of: None)
    assert list(tmp_path.iterdir()) == []
