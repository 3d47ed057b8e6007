"""An archive of many matches in one zip: readable by people, checkable by anyone, in need of nothing else.

    manifest.json         what is in it: each match's record with its SHA-256, and the house's verifier key
    README.txt            how to read and to check it
    croupier_verify.py    the standalone verifier
    records/CODE.ndjson   the match's export
    stories/CODE.txt      the same in sentences
"""

import json
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from events import access, checkpoints, store
from games.kernel import HOST, SPECTATOR
from matches import audit, audit_history, croupier_verify, table
from matches.audit_history import Asked
from matches.models import Match

FORMAT = "croupier-archive-v1"
_README = """\
An archive of Croupier, made {at}.

records/ holds each match as lines of JSON, stories/ the same in sentences. To check everything without trusting the
house, with Python 3.7 or later and nothing else:

    python3 croupier_verify.py {name} KEY

KEY is the house's verifier key. The manifest names one; believe it only if you know it from somewhere else, such as
/.well-known/croupier-key of the house.
"""


def write(path: Path, matches: Iterable[Match], by: str, progress: Callable[[], object]) -> int:
    """Write the archive of these matches; gives how many there are. Each is noted as taken by `by`."""
    at, listed = store.clock(), []
    unfinished = path.with_name(f".{path.name}.part")
    with ZipFile(unfinished, "w", ZIP_DEFLATED) as archive:
        for match in matches:
            listed.append(_add(archive, match))
            access.note(match.id, by, "archived")
            progress()
        archive.writestr("manifest.json", json.dumps(_manifest(at, listed), indent=1) + "\n")
        archive.writestr("README.txt", _README.format(at=at.isoformat(timespec="seconds"), name=path.name))
        archive.write(croupier_verify.__file__, "croupier_verify.py")
    unfinished.replace(path)
    return len(listed)


def _manifest(at: datetime, listed: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "made_at": at.isoformat(),
        "verifier_key": checkpoints.signer().verifier_key,
        "checkpoint": checkpoints.newest(),
        "matches": listed,
    }


def _add(archive: ZipFile, match: Match) -> dict[str, Any]:
    """One match's record and story; gives its line in the manifest."""
    name, digest = f"records/{match.code}.ndjson", sha256()
    header: dict[str, Any] = {}
    with archive.open(name, "w") as file:
        for line in audit.export(match.id):
            header = header or json.loads(line)
            digest.update(line)
            file.write(line)
    with archive.open(f"stories/{match.code}.txt", "w") as file:
        file.writelines(_story(match, header["version"]))
    return {
        "match": str(match.id),
        "code": match.code,
        "game": match.game,
        "file": name,
        "sha256": digest.hexdigest(),
        "version": header["version"],
        "hash": header["hash"],
        "finished": header["finished"],
    }


def _story(match: Match, upto: int) -> Iterator[bytes]:
    """The match in sentences: the whole truth once it is over."""
    story = table.load(match.id, upto=upto).lifecycle
    witness = HOST if story.over else SPECTATOR
    for told in audit_history.everything(match.id, witness, Asked()):
        if told["version"] <= upto:
            yield f"{told['version']:>5}  {told['at']}  {told['text']}\n".encode()
