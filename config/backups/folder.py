"""A folder of backups: `base/NAME/` has a copy of the server each, `wal/` the log that goes on from them."""

import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from config.backups.programs import BackupFailed

_TOLD = "backup.json"
_SEGMENT = 24
"""How long the name of a segment of the log is: eight digits each for timeline, log and segment."""
_PART = re.compile(r"[0-9A-F]{8}(?:(?P<history>\.history)|(?P<place>[0-9A-F]{16})(?:\.partial)?)")


@dataclass(frozen=True)
class Backup:
    """One copy of a server. It holds everything up to `ended_at`, by the database's clock."""

    name: str
    began_at: datetime
    ended_at: datetime
    major: int
    database: str
    owner: str
    release: str | None
    first_segment: str

    def keep(self, path: Path) -> None:
        """Write it down beside the copy."""
        told = {name: str(it) if isinstance(it, datetime) else it for name, it in asdict(self).items()}
        (path / _TOLD).write_text(json.dumps(told, indent=2) + "\n")


def backups(folder: Path) -> list[Backup]:
    """Those that are whole, oldest first; raises BackupFailed where the folder has none."""
    found = sorted(map(_read, (folder / "base").glob(f"*/{_TOLD}")), key=lambda it: it.ended_at)
    if not found:
        raise BackupFailed(f"{folder} holds no backup: `manage.py backup {folder}` makes one.")
    return found


def copy_of(folder: Path, backup: Backup) -> Path:
    """The server's files."""
    return folder / "base" / backup.name / "data"


def log_from(folder: Path, backup: Backup) -> list[Path]:
    """The parts of the log that go on from a backup, in order; of the one under way as far as it has come."""
    wanted = backup.first_segment[8:]
    found = ((path, _PART.fullmatch(path.name)) for path in (folder / "wal").glob("*"))
    return sorted(path for path, part in found if part and (part["history"] or part["place"] >= wanted))


def missing(segments: list[Path], backup: Backup) -> str | None:
    """The first segment that lacks between those of the backup's own timeline; what follows it can't be restored."""
    timeline = backup.first_segment[:8]
    names = sorted({path.name[:_SEGMENT] for path in segments if path.name.startswith(timeline)})
    for expected, found in zip(_counted(backup.first_segment), names, strict=False):
        if expected != found:
            return expected
    return None


def chosen(folder: Path, to: datetime | None, name: str | None) -> Backup:
    """The backup to begin with: the named one, else the newest that ended before `to`; raises BackupFailed."""
    known = backups(folder)
    if name is not None:
        known = [backup for backup in known if backup.name == name]
        if not known:
            raise BackupFailed(f"{folder} holds no backup {name}.")
    good = [backup for backup in known if to is None or backup.ended_at <= to]
    if not good:
        raise BackupFailed(
            f"No backup ended before {to}: the earliest, {known[0].name}, at {known[0].ended_at}. "
            "Nothing before that can be restored from it."
        )
    return good[-1]


def _read(path: Path) -> Backup:
    told = json.loads(path.read_text())
    return Backup(**told | {name: datetime.fromisoformat(told[name]) for name in ("began_at", "ended_at")})


def _counted(first: str) -> Iterator[str]:
    """Segments of 16 MB from one on."""
    number = int(first[8:16], 16) * 256 + int(first[16:], 16)
    while True:
        yield f"{first[:8]}{number // 256:08X}{number % 256:08X}"
        number += 1
