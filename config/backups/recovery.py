"""Restoring a backup into a new folder, replaying its log up to an instant, and verifying the result."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
from psycopg import sql

from config.backups import folder as backup_folder
from config.backups.folder import Backup
from config.backups.programs import BackupFailed
from config.deployment import secret_files
from config.deployment.secret_files import given
from config.runner import server_paths
from config.runner.embedded.postgres import Postgres
from config.runner.embedded.server import write_private
from config.runner.process import StartFailed, last_lines

ROOT = Path(__file__).resolve().parents[2]
BUNDLED = "croupier"
"""The owner and the database of a server that bin/up runs."""
_CONTROLLED = ("max_connections", "max_worker_processes", "max_wal_senders", "max_prepared_xacts", "max_locks_per_xact")
_AS_SETTINGS = {"max_prepared_xacts": "max_prepared_transactions", "max_locks_per_xact": "max_locks_per_transaction"}
_STATE = """
SELECT (SELECT count(*) FROM events_head), (SELECT coalesce(sum(version), 0) FROM events_head),
       (SELECT max(at) FROM events_event), (SELECT timeline_id FROM pg_control_checkpoint())
"""
_REPLAYED = "SELECT pg_is_in_recovery(), pg_last_xact_replay_timestamp()"


@dataclass(frozen=True)
class Restored:
    """The result of a restore.

    `upto` is the instant of the last replayed commit, None if there was none; `newest` is the time of the last event.
    `awaited_standbys` is the setting that was removed, `verified` the summary of `manage.py verify --all`.
    """

    backup: Backup
    upto: datetime | None
    streams: int
    events: int
    newest: datetime | None
    timeline: int
    awaited_standbys: str
    verified: str


class Recovering(Postgres):
    """A server that replays a backup's log. It listens only on a socket in a private folder."""

    patience = 86_400.0

    def __init__(
        self, folder: Path, backup: Backup, timeline: str, to: datetime | None, sockets: Path, log: Path
    ) -> None:
        super().__init__(folder, log=log, database=backup.database)
        self._backup, self._timeline, self._to, self._sockets = backup, timeline, to, sockets

    def _url(self, database: str) -> str:
        address = f"host={quote(str(self._sockets), safe='')}&port={self.port}"
        return f"postgresql://{quote(self._backup.owner)}@/{quote(database)}?{address}"

    def _command(self) -> list[str | Path]:
        write_private(self.home / "recovery_hba.conf", "local all all trust\n", self.account)
        settings = {
            "listen_addresses": "", "unix_socket_directories": self._sockets, "ssl": "off", "archive_mode": "off",
            "hba_file": self.home / "recovery_hba.conf", "synchronous_standby_names": "", "primary_conninfo": "",
            "restore_command": 'cp "../log/%f" "%p" 2>/dev/null || cp "../log/%f.partial" "%p" 2>/dev/null',
            "recovery_target_timeline": self._timeline, "recovery_target_action": "promote",
            **_minimum_settings(self.binary, self.data),
        }  # fmt: skip
        if self._to is not None:
            settings["recovery_target_time"] = self._to.isoformat(sep=" ")
        options = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        return [*super()._command(), *options]


def refuse_unfit(data: Path, secrets: Path | None) -> None:
    """Raise BackupFailed if the folder already has a database, or if the secrets to continue with are missing."""
    for place in (data / "postgres", data / "postgres" / "data"):
        if place.is_symlink() or (place.is_dir() and any(place.iterdir())):
            raise BackupFailed(f"{place} holds something already, and nothing was changed: choose another folder.")
    if secrets is not None and not (secrets / "seed_key").is_file():
        raise BackupFailed(f"{secrets} holds no seed_key: name the `secrets` of the data folder that was backed up.")
    if secrets is None and not (data / "secrets" / "seed_key").is_file() and not given("SEED_KEY", os.environ):
        raise BackupFailed(
            "A backup holds no secrets, and without its seed_key no match that was under way goes on: name the old "
            "data folder's by --secrets, or set SECRET_KEY_FILE, SEED_KEY_FILE and CHECKPOINT_KEY_FILE."
        )


def restore(
    folder: Path, data: Path, backup: Backup, *, to: datetime | None, secrets: Path | None,
    say: Callable[[str], None], progress: Callable[[int, int], None],
) -> Restored:  # fmt: skip
    """Copy a backup into a new data folder, replay its log up to `to` (by default all of it), and verify it.

    Raise BackupFailed. If the restore had begun, its files in `data/postgres` are removed.
    """
    refuse_unfit(data, secrets)
    segments = backup_folder.log_from(folder, backup)
    if to is not None and to > backup.ended_at and not segments:
        raise BackupFailed(f"{folder / 'wal'} holds no log beyond the backup's end at {backup.ended_at}.")
    if gap := backup_folder.missing(segments, backup):
        say(f"Segment {gap} is missing from the log. What was logged from there on can't be restored.")
        segments = backup_folder.before(segments, gap)
    data.mkdir(parents=True, exist_ok=True)
    data.chmod(0o711 if os.geteuid() == 0 else 0o700)
    if secrets is not None:
        _copy_secrets(secrets, data / "secrets")
    log = data / "log" / "restore.log"
    log.parent.mkdir(mode=0o700, exist_ok=True)
    try:
        with _recovering(data, backup, to, log, folder, segments, say, progress) as server:
            say("verifying")
            return _inspect(server, backup, data, _await_replay(server, log, to, say))
    except StartFailed as failed:
        server_paths.vacate(data / "postgres")
        raise BackupFailed(_explain_failure(str(failed), to)) from None
    except BaseException:
        server_paths.vacate(data / "postgres")
        raise


@contextmanager
def _recovering(
    data: Path, backup: Backup, to: datetime | None, log: Path, folder: Path, segments: list[Path],
    say: Callable[[str], None], progress: Callable[[int, int], None],
) -> Iterator[Recovering]:  # fmt: skip
    account = server_paths.server_account()
    # A short path, because the length of a socket's path is limited.
    sockets = Path(tempfile.mkdtemp(prefix="croupier-"))
    server_paths.own(sockets, account)
    timeline = backup_folder.target_timeline(segments, backup)
    server = Recovering(data / "postgres", backup, timeline, to, sockets, log)
    try:
        home = server_paths.settle(data / "postgres", account)
        say("copying")
        _copy(backup_folder.copy_of(folder, backup), home / "data", segments, home / "log", progress)
        (home / "data" / "recovery.signal").touch(mode=0o600)
        # If a server keeps its settings elsewhere, as Debian's does, the copy has none.
        (home / "data" / "postgresql.conf").touch(mode=0o600)
        for place in (home / "data", home / "log"):
            server_paths.own(place, account)
        (home / "data").chmod(0o700)
        say("replaying the log")
        server.start()
        yield server
        server.stop()
        shutil.rmtree(home / "log")
        (home / "recovery_hba.conf").unlink()
    finally:
        server.stop(at_once=True)
        shutil.rmtree(sockets, ignore_errors=True)


def _await_replay(server: Recovering, log: Path, to: datetime | None, say: Callable[[str], None]) -> datetime | None:
    """Wait until the server accepts writes; return the instant of the last replayed commit."""
    reported, replayed = None, None
    with psycopg.connect(server.url, autocommit=True) as connection:
        while True:
            try:
                ((is_recovering, replayed),) = connection.execute(_REPLAYED).fetchall()
            except psycopg.OperationalError:
                raise BackupFailed(_explain_failure(last_lines(log), to)) from None
            if not is_recovering:
                return replayed.astimezone(UTC) if replayed else None
            if replayed != reported:
                say(f"replayed up to {replayed}")
                reported = replayed
            time.sleep(0.1)


def _inspect(server: Recovering, backup: Backup, data: Path, upto: datetime | None) -> Restored:
    with psycopg.connect(server.url, user=_superuser(server), autocommit=True) as connection:
        ((streams, events, newest, timeline),) = connection.execute(_STATE).fetchall()
        awaited_standbys = _stop_awaiting_standbys(connection)
        if backup.owner == BUNDLED:
            # The new folder has a password file of its own.
            connection.execute(
                sql.SQL("ALTER ROLE {} PASSWORD {}").format(sql.Identifier(BUNDLED), sql.Literal(server._password()))
            )
        connection.execute("CHECKPOINT")
    return Restored(backup, upto, streams, int(events), newest, timeline, awaited_standbys, _verified(server.url, data))


def _superuser(server: Recovering) -> str:
    """Return a role with full rights on the server; the owner may not be one."""
    query = "SELECT rolname FROM pg_roles WHERE rolsuper AND rolcanlogin ORDER BY rolname <> current_user"
    with psycopg.connect(server.url, autocommit=True) as connection:
        (name, *_), *_ = connection.execute(query).fetchall()
    return str(name)


def _stop_awaiting_standbys(connection: psycopg.Connection[Any]) -> str:
    """Stop commits from waiting for standbys, because none follows; return the standbys that were awaited."""
    query = "SELECT setting FROM pg_file_settings WHERE name = 'synchronous_standby_names' ORDER BY seqno DESC LIMIT 1"
    row = connection.execute(query).fetchone()
    if row is None or not row[0]:
        return ""
    connection.execute("ALTER SYSTEM SET synchronous_standby_names = ''")
    return str(row[0])


def _verified(url: str, data: Path) -> str:
    """Return the last line of `manage.py verify --all`. Raise BackupFailed if it finds a fault."""
    logins = ("DATABASE_URL", "DATABASE_OWNER_URL", "DATABASE_LOGIN", "CROUPIER_CHECKPOINTS")
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(logins)}
    env = inherited | {"DATABASE_URL": url, "CROUPIER_DATA": str(data)}
    command: list[str | Path] = [sys.executable, ROOT / "manage.py", "verify", "--all"]
    result = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise BackupFailed(f"The restored records fail their check:\n{result.stdout}{result.stderr[-2000:]}")
    return result.stdout.strip().splitlines()[-1]


def _copy(
    source: Path, data: Path, segments: list[Path], log: Path, progress: Callable[[int, int], None]
) -> None:  # fmt: skip
    sizes = sum(path.lstat().st_size for path in source.rglob("*") if path.is_file())
    total, done = sizes + sum(path.stat().st_size for path in segments), 0

    def copy(from_path: str, to_path: str) -> str:
        nonlocal done
        shutil.copyfile(from_path, to_path)
        done += Path(to_path).stat().st_size
        progress(done // 1024, total // 1024)
        return to_path

    shutil.copytree(source, data, copy_function=copy, symlinks=True)
    log.mkdir(mode=0o700)
    for path in segments:
        copy(str(path), str(log / path.name))


def _copy_secrets(source: Path, to: Path) -> None:
    to.mkdir(mode=0o700, exist_ok=True)
    for name in secret_files.NAMES:
        if (source / name).is_file() and not (to / name).exists():
            secret_files.keep(to / name, (source / name).read_text().strip())


def _minimum_settings(binary: Path, data: Path) -> dict[str, Any]:
    """Return the settings that must not be lower than on the server that wrote the log: a lower one stops a replay
    during which the server also answers queries."""
    program = [binary.with_name("pg_controldata"), data]
    output = subprocess.run(program, capture_output=True, text=True, check=True, cwd="/", env={"LC_ALL": "C"}).stdout
    values = dict(line.split(" setting:", 1) for line in output.splitlines() if " setting:" in line)
    return {_AS_SETTINGS.get(name, name): values[name].strip() for name in _CONTROLLED if name in values}


def _explain_failure(output: str, to: datetime | None) -> str:
    if "recovery ended before configured recovery target was reached" in output:
        return f"The log ends before {to}: restore without --to, or to an earlier instant."
    return output
