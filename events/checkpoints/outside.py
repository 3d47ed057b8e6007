"""Copies of the signed checkpoints outside the database: files in a folder, and a webhook for another host.

A file a checkpoint, `2026-11/000000001204.checkpoint`, written whole or not at all and never touched again. Each
worker writes those that its folder lacks, so several on one folder, or each on a folder of its own, do no harm. The
file `posted` holds the size of the newest one that the webhook has taken; one that it didn't take is posted again at
the next turn.
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
_PATIENCE_SECONDS = 5.0


class StoredCheckpoint(NamedTuple):
    """A checkpoint's copy."""

    size: int
    path: Path
    note: str


def newest(folder: Path | None = None) -> StoredCheckpoint | None:
    """The copy with the most leaves, or None."""
    return next(newest_first(folder), None)


def newest_first(folder: Path | None = None) -> Iterator[StoredCheckpoint]:
    """Every copy, that with the most leaves first; no other file is opened."""
    for month in sorted(_months(folder or settings.CHECKPOINTS), reverse=True):
        yield from map(_read, reversed(_files(month)))


def copies(folder: Path | None = None, *, above: int = 0) -> Iterator[StoredCheckpoint]:
    """Every copy of more than `above` leaves, the oldest first; no other file is opened."""
    for month in sorted(_months(folder or settings.CHECKPOINTS)):
        yield from (_read(path) for path in _files(month) if _size(path) > above)


def write(size: int, at: datetime, note: str) -> Path:
    """Keep a checkpoint's copy."""
    path: Path = settings.CHECKPOINTS / at.strftime("%Y-%m") / f"{size:012}{SUFFIX}"
    path.parent.mkdir(parents=True, exist_ok=True)
    _write_whole(path, note)
    return path


def post_new(*, upto: int | None = None, is_own: Callable[[StoredCheckpoint], bool] = lambda copy: True) -> int:
    """Post what the webhook hasn't taken yet, the oldest first, up to the first failure; gives how many it took.

    A copy that isn't `is_own` is not posted. `upto` is the size of the newest copy: where a larger one was posted, that
    was no checkpoint, and the newest is posted again.
    """
    url, marker = settings.CHECKPOINT_WEBHOOK, settings.CHECKPOINTS / "posted"
    if not url:
        return 0
    posted = int(marker.read_text()) if marker.exists() else 0
    if upto is not None and posted > upto:
        posted = upto - 1
    fresh = list(islice(filter(is_own, copies(above=posted)), _MOST_POSTED))
    for count, copy in enumerate(fresh):
        if not _post(url, copy):
            return count
        _write_whole(marker, str(copy.size))
    return len(fresh)


def _post(url: str, copy: StoredCheckpoint) -> bool:
    try:
        headers = {"Content-Type": "text/plain; charset=utf-8"}
        answer = httpx.post(url, content=copy.note.encode(), headers=headers, timeout=_PATIENCE_SECONDS)
        answer.raise_for_status()
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        # Without the address: it may hold a secret.
        log.warning("checkpoint_not_posted", size=copy.size, error=type(error).__name__)
        return False
    return True


def _months(folder: Path) -> list[Path]:
    return [path for path in folder.glob("[0-9][0-9][0-9][0-9]-[0-9][0-9]") if path.is_dir()]


def _files(month: Path) -> list[Path]:
    """The copies of a month, by their names; whatever else lies there is somebody else's."""
    return sorted(month.glob(f"{'[0-9]' * 12}{SUFFIX}"))


def _size(path: Path) -> int:
    return int(path.name.removesuffix(SUFFIX))


def _read(path: Path) -> StoredCheckpoint:
    # What is no text is no checkpoint either; whoever reads the note says so.
    return StoredCheckpoint(_size(path), path, path.read_text(encoding="utf-8", errors="replace"))


def _write_whole(path: Path, text: str) -> None:
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    with unfinished.open("w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    unfinished.replace(path)
