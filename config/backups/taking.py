"""Backups of a running server: copying it, and then following its log."""

import re
import shutil
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg

from config.backups import folder as backup_folder
from config.backups import programs
from config.backups.folder import Backup
from config.backups.programs import BackupFailed

SLOT = "croupier_backup"
_COPYING = ("--checkpoint=fast", "--wal-method=stream", "--progress", "--no-password")
_CLOCK = "SELECT clock_timestamp()"
_LOGGED = """
SELECT (CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_flush_lsn() END - '0/0')::bigint
"""
_PREPARED_BY = "SELECT obj_description(to_regclass('django_migrations'), 'pg_class')"
_DONE = re.compile(r"(\d+)/(\d+) kB")
_FIRST = re.compile(r"START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)")


def take(folder: Path, url: str, progress: Callable[[int, int], None]) -> Backup:
    """Copy the server into a folder of backups and check the copy. `progress` is called with the kilobytes copied and
    the total.

    Raise BackupFailed; then nothing of it is left.
    """
    with _connected(url) as connection:
        major = connection.info.server_version // 10_000
        began_at = _value(connection, _CLOCK)
        owner, database = connection.info.user, connection.info.dbname
        release = _value(connection, _PREPARED_BY)
    name = began_at.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
    place = folder / "base" / name
    unfinished = place.with_suffix(".part")
    if place.exists() or unfinished.exists():
        raise BackupFailed(f"{place} is there already, or is being made.")
    bin = programs.folder_of(major)
    try:
        unfinished.mkdir(parents=True, mode=0o700)
        copy = ["--pgdata", unfinished / "data", *_COPYING]
        programs.run([bin / "pg_basebackup", *copy], url, lambda line: _report_progress(line, progress))
        programs.run([bin / "pg_verifybackup", "--quiet", unfinished / "data"], None, lambda _: None)
        with _connected(url) as connection:
            ended_at = _value(connection, _CLOCK)
        backup = Backup(name, began_at, ended_at, major, database, owner, release, _first_segment(unfinished / "data"))
        backup.keep(unfinished)
        unfinished.rename(place)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise
    return backup


class Following:
    """Writes a server's log continuously into a folder of backups. A replication slot keeps the part that isn't here
    yet, so that a pause leaves no gap. Raise BackupFailed if the server's log doesn't continue the folder's."""

    def __init__(self, folder: Path, url: str) -> None:
        with _connected(url) as connection:
            bin = programs.folder_of(connection.info.server_version // 10_000)
            logged = int(_value(connection, _LOGGED))
        wal = folder / "wal"
        wal.mkdir(parents=True, mode=0o700, exist_ok=True)
        receive: list[str | Path] = [bin / "pg_receivewal", "--directory", wal, "--slot", SLOT, "--no-password"]
        programs.run([*receive, "--create-slot", "--if-not-exists"], url, lambda _: None)
        # pg_receivewal tries again for ever if the server doesn't have what follows here, so ask once beforehand. It
        # ends behind this address; one before its first address would end it without a question.
        begin = backup_folder.end_of_log(folder)
        end = begin if begin > logged else logged - 1
        programs.run([*receive, "--no-loop", "--endpos", f"{end >> 32:X}/{end & 0xFFFFFFFF:X}"], url, lambda _: None)
        self._child = programs.begin([*receive, "--synchronous", "--verbose"], url)

    def lines(self) -> Any:
        """Yield the program's output until it ends. Raise BackupFailed if it ends unexpectedly."""
        last_output: list[str] = []
        for line in self._child.stderr or ():
            last_output = [*last_output[-3:], line.strip()]
            yield line.strip()
        if self._child.wait() not in (0, -15):
            raise BackupFailed(programs.in_words("pg_receivewal", last_output))

    def await_start(self) -> None:
        """Wait until the server streams its log, so that there is no gap after a copy made from now on."""
        for line in self.lines():
            if "starting log streaming" in line:
                return
        raise BackupFailed("pg_receivewal ended before it had begun.")

    def stop(self) -> None:
        """Stop following; the parts received so far are kept."""
        self._child.terminate()
        deadline = time.monotonic() + 10
        while self._child.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
        with self._child:
            self._child.kill()


def _connected(url: str) -> psycopg.Connection[Any]:
    try:
        return psycopg.connect(url, autocommit=True, connect_timeout=10)
    except psycopg.OperationalError as error:
        raise BackupFailed(f"The database can't be reached. {str(error).strip()}") from None


def _value(connection: psycopg.Connection[Any], query: str) -> Any:
    row = connection.execute(query.encode()).fetchone()
    return row and row[0]


def _report_progress(line: str, progress: Callable[[int, int], None]) -> None:
    if match := _DONE.search(line):
        progress(int(match[1]), int(match[2]))


def _first_segment(data: Path) -> str:
    match = _FIRST.search((data / "backup_label").read_text())
    if match is None:
        raise BackupFailed(f"{data / 'backup_label'} doesn't say where the log goes on.")
    return match[1]


def instant_of(text: str) -> datetime:
    """Return the instant, which must have a time zone, in UTC. Raise BackupFailed."""
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        instant = None
    if instant is None or instant.tzinfo is None:
        raise BackupFailed(f"--to is an instant with its zone, such as 2026-11-24T12:30:00+01:00, not {text!r}.")
    return instant.astimezone(UTC)
