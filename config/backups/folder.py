"""A folder of backups: a copy of the server in each `base/NAME/`, and the server's log after them in `wal/`."""

import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from config.backups.programs import BackupFailed

_METADATA = "backup.json"
_SEGMENT = 24
"""The length of a segment's name: eight digits each for timeline, log and segment."""
_PART = re.compile(r"[0-9A-F]{8}(?:(?P<history>\.history)|(?P<place>[0-9A-F]{16})(?:\.partial)?)")


@dataclass(frozen=True)
class Backup:
    """A copy of a server. It contains everything up to `ended_at`, by the database's clock."""

    name: str
    began_at: datetime
    ended_at: datetime
    major: int
    database: str
    owner: str
    release: str | None
    first_segment: str

    def keep(self, path: Path) -> None:
        """Write the metadata into the backup's folder."""
        fields = {name: str(it) if isinstance(it, datetime) else it for name, it in asdict(self).items()}
        (path / _METADATA).write_text(json.dumps(fields, indent=2) + "\n")


def backups(folder: Path) -> list[Backup]:
    """Return the complete backups, oldest first. Raise BackupFailed if there are none."""
    complete = sorted(map(_read, (folder / "base").glob(f"*/{_METADATA}")), key=lambda it: it.ended_at)
    if not complete:
        raise BackupFailed(f"{folder} holds no backup: `manage.py backup {folder}` makes one.")
    return complete


def copy_of(folder: Path, backup: Backup) -> Path:
    """Return the folder with the server's files."""
    return folder / "base" / backup.name / "data"


def log_from(folder: Path, backup: Backup) -> list[Path]:
    """Return the parts of the log after a backup, in order, including the unfinished part."""
    wanted = backup.first_segment[8:]
    parts = ((path, _PART.fullmatch(path.name)) for path in (folder / "wal").glob("*"))
    return sorted(path for path, part in parts if part and (part["history"] or part["place"] >= wanted))


def missing(segments: list[Path], backup: Backup) -> str | None:
    """Return the first segment that is missing between those of the backup's own timeline. Later segments can't be
    restored."""
    timeline = backup.first_segment[:8]
    names = sorted({path.name[:_SEGMENT] for path in segments if path.name.startswith(timeline)})
    for expected, name in zip(_counted(backup.first_segment), names, strict=False):
        if expected != name:
            return expected
    return None


def chosen(folder: Path, to: datetime | None, name: str | None) -> Backup:
    """Return the backup to start from: the named one, else the newest that ended before `to`. Raise BackupFailed."""
    candidates = backups(folder)
    if name is not None:
        candidates = [backup for backup in candidates if backup.name == name]
        if not candidates:
            raise BackupFailed(f"{folder} holds no backup {name}.")
    usable = [backup for backup in candidates if to is None or backup.ended_at <= to]
    if not usable:
        raise BackupFailed(
            f"No backup ended before {to}: the earliest, {candidates[0].name}, at {candidates[0].ended_at}. "
            "Nothing before that can be restored from it."
        )
    return usable[-1]


def _read(path: Path) -> Backup:
    fields = json.loads(path.read_text())
    return Backup(**fields | {name: datetime.fromisoformat(fields[name]) for name in ("began_at", "ended_at")})


def _counted(first: str) -> Iterator[str]:
    """Yield the names of segments of 16 MB, from one on."""
    number = int(first[8:16], 16) * 256 + int(first[16:], 16)
    while True:
        yield f"{first[:8]}{number // 256:08X}{number % 256:08X}"
        number += 1
