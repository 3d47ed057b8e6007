"""A folder of backups: a copy of the server in each `base/NAME/`, and the server's log after them in `wal/`."""

import json
import re
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from config.backups.programs import BackupFailed

_METADATA = "backup.json"
_SEGMENT = 24
"""The length of a segment's name: eight digits each for timeline, log and segment."""
_TIMELINE = 8
_SEGMENT_BYTES = 1 << 24
_PART = re.compile(r"[0-9A-F]{8}(?:\.history|[0-9A-F]{16}(?:\.partial)?)")
_SWITCH = re.compile(r"^(\d+)\t([0-9A-F]+)/([0-9A-F]+)", re.MULTILINE)
"""A line of a timeline's history: an earlier timeline, and the address in the log at which the next one began."""


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
    """Return the parts of the log after a backup, in order, including the unfinished part and every timeline's history.

    Where a restore began a new timeline, the older timeline's copy of that segment and its later ones are left out: a
    replay would read commits in them that the restore removed.
    """
    parts = sorted(path for path in (folder / "wal").glob("*") if _PART.fullmatch(path.name))
    way = _timelines(parts, backup)
    return [path for path in parts if not _is_segment(path) or _timeline_at(way, _number(path)) == _timeline(path)]


def end_of_log(folder: Path) -> int:
    """Return the address of the newest segment of the log, in bytes; 0 if there is none."""
    parts = (path for path in (folder / "wal").glob("*") if _PART.fullmatch(path.name) and _is_segment(path))
    return max(map(_number, parts), default=0) * _SEGMENT_BYTES


def missing(parts: list[Path], backup: Backup) -> str | None:
    """Return the first segment that is missing between those after a backup, on whichever timeline. Later segments
    can't be restored."""
    way, names = _timelines(parts, backup), {path.name[:_SEGMENT] for path in parts}
    for number in range(way[0][0], max(map(_number, filter(_is_segment, parts)), default=0)):
        expected = f"{_timeline_at(way, number)}{number // 256:08X}{number % 256:08X}"
        if expected not in names:
            return expected
    return None


def before(parts: list[Path], gap: str) -> list[Path]:
    """Return the parts of the log that can be restored if the segment `gap` is missing."""
    return [path for path in parts if not _is_segment(path) or path.name[_TIMELINE:_SEGMENT] < gap[_TIMELINE:]]


def target_timeline(parts: list[Path], backup: Backup) -> str:
    """Return the setting `recovery_target_timeline` for a replay up to the end of these parts of the log.

    It isn't `latest`, because a timeline that doesn't contain the backup or that begins after a gap can't be reached.
    """
    segments = [path.name for path in parts if _is_segment(path)]
    last = max(segments, key=lambda name: name[_TIMELINE:_SEGMENT], default=backup.first_segment)[:_TIMELINE]
    return "current" if last == backup.first_segment[:_TIMELINE] else str(int(last, 16))


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


def _timelines(parts: list[Path], backup: Backup) -> list[tuple[int, str]]:
    """Return the first segment's number and the name of each timeline from the backup's to the newest in the log that
    continues it.

    A backup ends with its segment, so a timeline that began in or before the backup's first segment doesn't contain it.
    """
    own, first = backup.first_segment[:_TIMELINE], _number_of(backup.first_segment)
    with_segments = {_timeline(path) for path in parts if _is_segment(path)}
    for history in sorted((path for path in parts if not _is_segment(path)), reverse=True):
        switches = [(f"{int(it[1]):08X}", _segment_at(int(it[2], 16), int(it[3], 16)))
                    for it in _SWITCH.finditer(history.read_text())]  # fmt: skip
        names = [name for name, _ in switches if name >= own]
        begins = [number for name, number in switches if name >= own]
        if _timeline(history) in with_segments and names[:1] == [own] and min(begins) > first:
            return [(first, own), *zip(begins, [*names[1:], _timeline(history)], strict=True)]
    return [(first, own)]


def _timeline_at(way: list[tuple[int, str]], number: int) -> str:
    """Return the timeline of a segment, which is the next one's where one ends and the next begins, as its copy
    contains both; an empty text before the first."""
    return next((name for first, name in reversed(way) if first <= number), "")


def _is_segment(path: Path) -> bool:
    return path.suffix != ".history"


def _timeline(path: Path) -> str:
    return path.name[:_TIMELINE]


def _number(path: Path) -> int:
    return _number_of(path.name)


def _number_of(name: str) -> int:
    """Return the number of a segment within its timeline, by its name."""
    return _segment_at(int(name[8:16], 16), int(name[16:24], 16) * _SEGMENT_BYTES)


def _segment_at(high: int, low: int) -> int:
    """Return the number of the segment that contains an address."""
    return (high << 32 | low) // _SEGMENT_BYTES
