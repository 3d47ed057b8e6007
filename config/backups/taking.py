"""Taking a backup of a running server, and following its log from then on."""

import re
import shutil
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg

from config.backups import programs
from config.backups.folder import Backup
from config.backups.programs import BackupFailed

SLOT = "croupier_backup"
_COPYING = ("--checkpoint=fast", "--wal-method=stream", "--progress", "--no-password")
_CLOCK = "SELECT clock_timestamp()"
_PREPARED_BY = "SELECT obj_description(to_regclass('django_migrations'), 'pg_class')"
_DONE = re.compile(r"(\d+)/(\d+) kB")
_FIRST = re.compile(r"START WAL LOCATION: \S+ \(file ([0-9A-F]{24})\)")


def take(folder: Path, url: str, progress: Callable[[int, int], None]) -> Backup:
    """Copy the server into a folder of backups, and check the copy; `progress` is told kilobytes of how many.

    Raises BackupFailed; then nothing is left of it.
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
        copy = [
            "--pgdata",
            unfinished / "data",
            "--checkpoint=fast",
            "--wal-method=stream",
            "--progress",
            "--no-password",
        ]
        programs.run([bin / "pg_basebackup", *copy], url, lambda line: _tell(line, progress))
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
    """The log of a server, written into a folder of backups as it comes. A slot of the server keeps what isn't here
    yet, so that nothing lacks after a pause."""

    def __init__(self, folder: Path, url: str) -> None:
        with _connected(url) as connection:
            bin = programs.folder_of(connection.info.server_version // 10_000)
        wal = folder / "wal"
        wal.mkdir(parents=True, mode=0o700, exist_ok=True)
        receive: list[str | Path] = [bin / "pg_receivewal", "--directory", wal, "--slot", SLOT, "--no-password"]
        programs.run([*receive, "--create-slot", "--if-not-exists"], url, lambda _: None)
        self._child = programs.begin([*receive, "--synchronous", "--verbose"], url)

    def lines(self) -> Any:
        """What it says, until it ends; raises BackupFailed where it ends by itself."""
        said: list[str] = []
        for line in self._child.stderr or ():
            said = [*said[-3:], line.strip()]
            yield line.strip()
        if self._child.wait() not in (0, -15):
            raise BackupFailed(programs.in_words("pg_receivewal", said))

    def await_start(self) -> None:
        """Until the server knows of it, so that a copy made from now on is followed without a gap."""
        for line in self.lines():
            if "starting log streaming" in line:
                return
        raise BackupFailed("pg_receivewal ended before it had begun.")

    def stop(self) -> None:
        """What has come stays."""
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


def _value(connection: psycopg.Connection[Any], question: str) -> Any:
    row = connection.execute(question.encode()).fetchone()
    return row and row[0]


def _tell(line: str, progress: Callable[[int, int], None]) -> None:
    if found := _DONE.search(line):
        progress(int(found[1]), int(found[2]))


def _first_segment(data: Path) -> str:
    found = _FIRST.search((data / "backup_label").read_text())
    if found is None:
        raise BackupFailed(f"{data / 'backup_label'} doesn't say where the log goes on.")
    return found[1]


def instant_of(text: str) -> datetime:
    """An instant with its zone; raises BackupFailed."""
    try:
        told = datetime.fromisoformat(text)
    except ValueError:
        told = None
    if told is None or told.tzinfo is None:
        raise BackupFailed(f"--to is an instant with its zone, such as 2026-11-24T12:30:00+01:00, not {text!r}.")
    return told.astimezone(UTC)
