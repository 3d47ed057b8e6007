"""An archive of many records in one zip: readable by people, checkable by anyone, in need of nothing else.

    records/CODE.ndjson   a match's export
    stories/CODE.txt      the same in sentences
    seasons/ID.ndjson     the season's own record, if the archive is one of a season
    stories/season.txt    the same in sentences
    README.txt            how to read and to check it
    croupier_verify.py    the standalone verifier
    manifest.json         what is in it: each record with its SHA-256, and the house's verifier key

It is made piece by piece: whatever its size, no more than one piece of it is held in memory.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile

from events import access, store
from events.checkpoints import signing
from games.kernel import HOST, SPECTATOR, Witness
from matches.audit import export, history, rendering
from matches.audit.history import EventFilter
from matches.models import Match
from matches.reads import feed

FORMAT = "croupier-archive-v1"
MOST_MATCHES = 20_000
"""The verifier refuses archives with many more."""
PIECE = 64 * 1024
"""Bytes of a piece, or a few more."""
_README = """\
An archive of Croupier, made {at}.

records/ holds each match as lines of JSON, stories/ the same in sentences; seasons/ holds a season's own events. To
check everything without trusting the house, with Python 3.7 or later and nothing else:

    python3 croupier_verify.py {name} KEY

KEY is the house's verifier key. The manifest names one; believe it only if you know it from somewhere else, such as
/.well-known/croupier-key of the house.

What people said beside the matches isn't in here: talk is no part of a record.
"""


class Chapter(NamedTuple):
    """A record besides those of matches: the names of its two files, functions that yield their lines, and its entry in
    the manifest, to which the header's fields are added."""

    record: str
    text_file: str
    lines: Callable[[], Iterator[bytes]]
    sentences: Callable[[int], Iterator[bytes]]
    entry: dict[str, Any]


def write(path: Path, matches: Iterable[Match], by: str, progress: Callable[[], object],
          seasons: Iterable[Chapter] = ()) -> int:  # fmt: skip
    """Write the archive of these matches and seasons; return the number of matches. The access log notes each as taken
    by `by`."""
    count = 0

    def counted() -> None:
        nonlocal count
        count += 1
        progress()

    with export.replacing(path) as file:
        file.writelines(pieces(path.name, matches, by, seasons=seasons, progress=counted))
    return count


def pieces(
    name: str,
    matches: Iterable[Match],
    by: str | None,
    *,
    witness: Witness = HOST,
    seasons: Iterable[Chapter] = (),
    progress: Callable[[], object] = lambda: None,
) -> Iterator[bytes]:
    """Yield the archive in pieces, as `witness` may see it. Before each match the access log notes that `by`, if given,
    takes it."""
    at, listed, sink = store.clock(), _Listed([], []), _Sink()
    with ZipFile(sink, "w", ZIP_DEFLATED) as archive:
        for chapter in seasons:
            yield from _chapter(archive, sink, chapter, listed.seasons)
        for match in matches:
            if by is not None:
                access.note(match.id, by, "archived")
            yield from _chapter(archive, sink, _chapter_of_match(match, witness), listed.matches)
            progress()
        archive.writestr("README.txt", _README.format(at=at.isoformat(timespec="seconds"), name=name))
        archive.writestr("croupier_verify.py", rendering.source())
        manifest = {
            "format": FORMAT,
            "made_at": at.isoformat(),
            "verifier_key": signing.signer().verifier_key,
            "checkpoint": signing.newest(),
            "seasons": listed.seasons,
            "matches": listed.matches,
        }
        archive.writestr("manifest.json", json.dumps(manifest, indent=1) + "\n")
    yield sink.taken()


class _Listed(NamedTuple):
    """The records that the manifest lists."""

    seasons: list[dict[str, Any]]
    matches: list[dict[str, Any]]


class _Sink:
    """The zip's output file: what is written is taken away piece by piece."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self.waiting = 0

    def write(self, data: bytes) -> int:
        self._parts.append(bytes(data))
        self.waiting += len(data)
        return len(data)

    def flush(self) -> None:
        """Do nothing: nothing is buffered."""

    def taken(self) -> bytes:
        """Return all bytes written since the last call."""
        piece, self._parts, self.waiting = b"".join(self._parts), [], 0
        return piece


def _chapter(archive: ZipFile, sink: _Sink, chapter: Chapter, listed: list[dict[str, Any]]) -> Iterator[bytes]:
    """Write a record and its text; append its entry to the manifest's list."""
    digest, header = sha256(), b""
    with archive.open(chapter.record, "w") as file, closing(chapter.lines()) as lines:
        for line in lines:
            header = header or line
            digest.update(line)
            file.write(line)
            if sink.waiting >= PIECE:
                yield sink.taken()
    header_fields = json.loads(header)
    with (
        archive.open(chapter.text_file, "w") as file,
        closing(chapter.sentences(header_fields["version"])) as sentences,
    ):
        for line in sentences:
            file.write(line)
            if sink.waiting >= PIECE:
                yield sink.taken()
    names = ("version", "hash", "finished")
    listed.append(
        {
            **chapter.entry,
            "file": chapter.record,
            "sha256": digest.hexdigest(),
            **{name: header_fields[name] for name in names},
        }
    )


def _chapter_of_match(match: Match, witness: Witness) -> Chapter:
    return Chapter(
        record=f"records/{match.code}.ndjson",
        text_file=f"stories/{match.code}.txt",
        lines=lambda: export.export(match.id, witness, aside=True),
        sentences=lambda upto: _sentences(match, witness, upto),
        entry={"match": str(match.id), "code": match.code, "game": match.game},
    )


def _sentences(match: Match, witness: Witness, upto: int) -> Iterator[bytes]:
    """Yield the match in sentences: the whole truth once its secrets are open to this witness."""
    is_open = feed.visible_state(match.id, witness, upto).lifecycle.is_open
    for event in history.everything(match.id, HOST if is_open else SPECTATOR, EventFilter()):
        if event["version"] <= upto:
            yield sentence(event["version"], event["at"], event["text"])


def sentence(version: int, at: str, text: str) -> bytes:
    return f"{version:>5}  {at}  {text}\n".encode()
