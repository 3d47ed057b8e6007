"""Copies of the signed checkpoints outside the database: files in a folder, and a webhook to another host.

There is one file per checkpoint, named for its month and its number of leaves, such as
`2026-11/000000001204.checkpoint`. It is written atomically and never changed. Each worker writes the files that its
folder lacks, so several workers may share a folder or have one each. The file `posted` holds the size of the newest
checkpoint that the webhook has accepted; larger ones are posted at the next run.
"""

import os
from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import httpx
import structlog
from django.conf import settings

log = structlog.get_logger(__name__)

SUFFIX = ".checkpoint"
_MOST_POSTED = 50
"""The most copies posted in one call."""
_TIMEOUT_SECONDS = 5.0


class StoredCheckpoint(NamedTuple):
    """A stored checkpoint: its number of leaves (`size`), its file, and its text (`note`)."""

    size: int
    path: Path
    note: str


def newest(folder: Path | None = None) -> StoredCheckpoint | None:
    """Return the copy with the most leaves, or None."""
    return next(newest_first(folder), None)


def newest_first(folder: Path | None = None) -> Iterator[StoredCheckpoint]:
    """Yield every copy, the one with the most leaves first. A file is opened only when its copy is yielded."""
    for month in sorted(_months(folder or settings.CHECKPOINTS), reverse=True):
        yield from map(_read, reversed(_files(month)))


def copies(folder: Path | None = None, *, above: int = 0) -> Iterator[StoredCheckpoint]:
    """Yield every copy of more than `above` leaves, the oldest first. Other files are not opened."""
    for month in sorted(_months(folder or settings.CHECKPOINTS)):
        yield from (_read(path) for path in _files(month) if _size(path) > above)


def write(size: int, at: datetime, note: str) -> Path:
    """Write the copy of a checkpoint and return its path."""
    path: Path = settings.CHECKPOINTS / at.strftime("%Y-%m") / f"{size:012}{SUFFIX}"
    path.parent.mkdir(parents=True, exist_ok=True)
    _write_atomically(path, note)
    return path


def post_new(*, upto: int | None = None, is_own: Callable[[StoredCheckpoint], bool] = lambda copy: True) -> int:
    """Post the copies that the webhook hasn't accepted yet, the oldest first, until one fails; return how many it
    accepted.

    Only copies for which `is_own` is true are posted. `upto` is the size of the newest checkpoint. If the webhook has
    accepted a larger copy, that wasn't a checkpoint, and the newest checkpoint is posted again.
    """
    url, marker = settings.CHECKPOINT_WEBHOOK, settings.CHECKPOINTS / "posted"
    if not url:
        return 0
    posted = int(marker.read_text()) if marker.exists() else 0
    if upto is not None and posted > upto:
        posted = upto - 1
    pending = list(islice(filter(is_own, copies(above=posted)), _MOST_POSTED))
    for count, copy in enumerate(pending):
        if not _post(url, copy):
            return count
        _write_atomically(marker, str(copy.size))
    return len(pending)


def _post(url: str, copy: StoredCheckpoint) -> bool:
    try:
        headers = {"Content-Type": "text/plain; charset=utf-8"}
        response = httpx.post(url, content=copy.note.encode(), headers=headers, timeout=_TIMEOUT_SECONDS)
        response.raise_for_status()
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        # Don't log the URL, because it may contain a secret.
        log.warning("checkpoint_not_posted", size=copy.size, error=type(error).__name__)
        return False
    return True


def _months(folder: Path) -> list[Path]:
    return [path for path in folder.glob("[0-9][0-9][0-9][0-9]-[0-9][0-9]") if path.is_dir()]


def _files(month: Path) -> list[Path]:
    """Return the copies of a month, by their file names; other files are ignored."""
    return sorted(month.glob(f"{'[0-9]' * 12}{SUFFIX}"))


def _size(path: Path) -> int:
    return int(path.name.removesuffix(SUFFIX))


def _read(path: Path) -> StoredCheckpoint:
    # A file that isn't text isn't a checkpoint either; readers of the note detect that.
    return StoredCheckpoint(_size(path), path, path.read_text(encoding="utf-8", errors="replace"))


def _write_atomically(path: Path, text: str) -> None:
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    with temporary.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)
