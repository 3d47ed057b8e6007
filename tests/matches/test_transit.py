"""A file that a program changed on its way is told from a forged one, and neither passes."""

import base64
import binascii
import gzip
import html
import json
import quopri
import subprocess
import sys
import textwrap
import unicodedata
import zipfile
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest
from django.core.management import CommandError, call_command

from events.checkpoints import signing
from games import catalogue
from matches.audit import croupier_verify, export
from matches.audit.croupier_verify import Bad, Changed, check_file
from matches.seasons import archive
from matches.seasons.domain import roster
from matches.services import hosting, opening
from tests.matches.mutations import KINDS, records, tampered
from tests.matches.tampering import Record
from tests.matches.transit import MUTATIONS
from tests.seasons.test_delivery import Stored
from tests.table_setting import new_account, play_on, waiting_match

PROGRAM = Path(croupier_verify.__file__)
TEXT = "Zoë & Jun: 'so be it', \"as said\" <here> – naïve, 100 % = 1 = 3D"
"""A host's ruling that holds everything that programs change."""


@cache
def record() -> tuple[bytes, str]:
    """A finished match's export with a free text in it, covered by a checkpoint, and the key."""
    host, *people = (new_account() for _ in range(3))
    match = waiting_match("pentagram", *people, opener=host)
    opening.start(match_id=match.id, by=host.id, reason="A test.")
    play_on(match, 4, Random(1))
    hosting.rule(match_id=match.id, by=host.id, text=TEXT)
    hosting.adjudicate(match_id=match.id, by=host.id, reason="A test.", winners=[1])
    signing.sign_if_due(after_seconds=0)
    return b"".join(export.export(match.id)), signing.signer().verifier_key


def wrapped(data: bytes, width: int) -> bytes:
    """Lines broken after so many columns, wherever that is."""
    text = data.decode()
    pieces = (line[at : at + width] for line in text.splitlines() for at in range(0, len(line), width))
    return ("\r\n".join(pieces) + "\r\n").encode()


def word_wrapped(data: bytes) -> bytes:
    lines = (
        textwrap.fill(line, 76, break_long_words=False, break_on_hyphens=False) for line in data.decode().split("\n")
    )
    return "\n".join(lines).encode()


def as_text(change: Callable[[str], str]) -> Callable[[bytes], bytes]:
    return lambda data: change(data.decode()).encode()


def pretty(data: bytes) -> bytes:
    return "\n".join(json.dumps(json.loads(line), indent=2) for line in data.decode().splitlines()).encode()


UNDONE: dict[str, Callable[[bytes], bytes]] = {
    "CRLF": lambda data: data.replace(b"\n", b"\r\n"),
    "CR": lambda data: data.replace(b"\n", b"\r"),
    "a byte order mark": lambda data: b"\xef\xbb\xbf" + data,
    "a byte order mark and CRLF": lambda data: b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"),
    "no last line feed": lambda data: data[:-1],
    "two last line feeds": lambda data: data + b"\n",
    "spaces at the ends of lines": lambda data: data.replace(b"\n", b"  \n"),
    "UTF-16 with a mark": lambda data: data.decode().encode("utf-16"),
    "UTF-16 without one": lambda data: data.decode().encode("utf-16-le"),
    "UTF-16, big-endian": lambda data: data.decode().encode("utf-16-be"),
    "Windows' encoding": lambda data: data.decode().encode("cp1252"),
    "read as Windows' encoding": lambda data: data.decode("cp1252").encode(),
    "quoted-printable": quopri.encodestring,
    "quoted-printable with CRLF": lambda data: quopri.encodestring(data).replace(b"\n", b"\r\n"),
    "wrapped at 76": lambda data: wrapped(data, 76),
    "wrapped at 998": lambda data: wrapped(data, 998),
    "wrapped at words": word_wrapped,
    "gzip": gzip.compress,
    "gzip with CRLF": lambda data: gzip.compress(data.replace(b"\n", b"\r\n")),
    "escaped as HTML": as_text(html.escape),
    "written anew by an editor": pretty,
    "keys in another order": as_text(
        lambda text: "".join(json.dumps(dict(reversed(json.loads(it).items()))) + "\n" for it in text.splitlines())
    ),
    "apostrophes made typographic": as_text(lambda text: text.replace("'", "\u2019")),
    "letters decomposed": as_text(lambda text: unicodedata.normalize("NFD", text)),
    "a signature below": lambda data: data + b"-- \nJo Park\nSent from my telephone\n",
    "something said above": lambda data: b"Hello, here is the record:\n\n" + data,
    "quoted in an answer": lambda data: b"".join(b"> " + line for line in data.splitlines(keepends=True)),
    "blank lines between": lambda data: data.replace(b"\n", b"\n\n"),
}
LOST: dict[str, Callable[[bytes], bytes]] = {
    "broken off within a line": lambda data: data[: len(data) // 2],
    "broken off at a line's end": lambda data: data[: data.rindex(b"\n", 0, len(data) // 2) + 1],
    "only the checkpoint missing": lambda data: data[: data.rindex(b"\n", 0, -1) + 1],
    "empty": lambda data: b"",
    "letters that were lost": as_text(lambda text: text.encode("ascii", "replace").decode()),
    "dashes made hyphens": as_text(lambda text: text.replace("\u2013", "-")),
    "a page that says there is none": lambda data: b"<!doctype html><title>Not found</title>\n",
    "links rewritten": as_text(lambda text: text.replace("naïve", "https://safe.example/naïve")),
    "gzip broken off": lambda data: gzip.compress(data)[:200],
    "base64": base64.encodebytes,
    "uuencoded lines": lambda data: b"".join(binascii.b2a_uu(data[at : at + 45]) for at in range(0, len(data), 45)),
}


@pytest.mark.parametrize("change", UNDONE)
def test_change_in_transit_is_undone_and_reported(change: str, tmp_path: Path) -> None:
    data, key = record()
    changed = UNDONE[change](data)
    assert changed != data
    lines, summary, undone = check_file(changed, key)
    assert undone and "\n".join([*lines, ""]).encode() == data
    assert summary["covered"] == summary["events"]
    with pytest.raises((Changed, UnicodeDecodeError)):
        croupier_verify.verify(croupier_verify.split(changed.decode()), key)


@pytest.mark.parametrize("change", LOST)
def test_irreversible_change_in_transit_is_not_reported_as_a_forgery(change: str) -> None:
    data, key = record()
    with pytest.raises(Changed):
        check_file(LOST[change](data), key)


@pytest.mark.parametrize("change", ["CRLF", "broken off within a line", "wrapped at 76"])
def test_verifiers_exit_with_status_4_after_a_change_in_transit(change: str, tmp_path: Path) -> None:
    data, key = record()
    file = tmp_path / "match.ndjson"
    file.write_bytes((UNDONE | LOST)[change](data))
    done = subprocess.run([sys.executable, PROGRAM, file, key], capture_output=True, text=True, check=False)
    assert done.returncode == 4 and "BROKEN" not in done.stdout
    sentence = "CHANGED IN TRANSIT: " if change in UNDONE else "CHANGED at version "
    assert sentence in done.stdout
    with pytest.raises(CommandError, match=sentence) as ended:
        call_command("verify", str(file), key=key)
    assert ended.value.returncode == 4


def test_unchanged_file_has_nothing_undone() -> None:
    data, key = record()
    assert check_file(data, key)[2] == []


@cache
def whole_records() -> dict[str, tuple[str, str]]:
    """An export of each game and of a season, all covered by a checkpoint, and the key."""
    rng = Random(6)
    texts = {slug: (good.text, good.key) for slug, good in records("adjudicated", rng)}
    season = Stored().opened()
    season.act(lambda it, by: roster.rule(it, by, TEXT))
    signing.sign_if_due(after_seconds=0)
    texts["season"] = (b"".join(archive.export(season.id)).decode(), signing.signer().verifier_key)
    return texts


@pytest.mark.parametrize("name", [*catalogue, "season"])
def test_change_in_transit_is_neither_accepted_nor_reported_as_a_forgery(name: str) -> None:
    """Whatever is found to hold is the record as it was written."""
    (text, key), rng = whole_records()[name], Random(name)
    for kind, mutate in MUTATIONS.items():
        for _ in range(8):
            changed = mutate(text, rng)
            data = changed if isinstance(changed, bytes) else changed.encode()
            try:
                lines, _, undone = check_file(data, key)
            except Changed:
                assert data != text.encode(), kind
            else:
                assert "\n".join([*lines, ""]) == text, kind
                assert bool(undone) == (data != text.encode()), kind


@pytest.mark.parametrize("name", ["pyramid_poker", "season"])
def test_changed_letter_of_an_archive_is_not_reported_as_a_forgery(name: str, tmp_path: Path) -> None:
    text, _ = whole_records()[name]
    header, file = json.loads(text.splitlines()[0]), tmp_path / "archive.zip"
    stream, member = ("season", "seasons/A.ndjson") if name == "season" else ("match", "records/A.ndjson")
    entry = {it: header[it] for it in (stream, "version", "hash")} | {
        "file": member, "sha256": sha256(text.encode()).hexdigest(),
    }  # fmt: skip
    manifest = {"format": croupier_verify._ARCHIVE, "matches": [], "seasons": []}
    manifest["seasons" if name == "season" else "matches"] = [entry]
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("manifest.json", json.dumps(manifest))
        packed.writestr(member, text)
    good, rng = file.read_bytes(), Random(name)
    held = croupier_verify.verify_archive(file)
    for _ in range(300):
        place = rng.choice([rng.randrange(len(good)), len(good) - 1 - rng.randrange(200)])
        file.write_bytes(good[:place] + bytes([good[place] ^ 1 << rng.randrange(8)]) + good[place + 1 :])
        try:
            assert croupier_verify.verify_archive(file) == held
        except Bad as bad:
            assert type(bad) is not Bad, (place, bad)


@pytest.mark.parametrize("place", [-10, -9, -6, -5])
@pytest.mark.parametrize("bit", range(8))
def test_changed_directory_of_an_archive_is_reported_as_a_change(place: int, bit: int, tmp_path: Path) -> None:
    """The length of the list and its place stand in the last bytes of a zip."""
    file = archive_of(tmp_path, b"")
    good = file.read_bytes()
    changed = bytearray(good)
    changed[place] ^= 1 << bit
    file.write_bytes(changed)
    with pytest.raises(Changed):
        croupier_verify.verify_archive(file)


def test_member_with_another_compression_is_reported_as_a_change(tmp_path: Path) -> None:
    file = archive_of(tmp_path, b"{}")
    good = file.read_bytes()
    way = good.index(b"PK\1\2") + 10
    file.write_bytes(good[:way] + bytes([zipfile.ZIP_BZIP2]) + good[way + 1 :])
    with pytest.raises(Changed):
        croupier_verify.verify_archive(file)


def test_instant_with_hour_24_is_refused() -> None:
    """Python 3.14 reads it as the next day, so that one event could be written in two ways."""
    assert croupier_verify._INSTANT.fullmatch("2026-11-21T23:59:59.999999Z")
    assert not croupier_verify._INSTANT.fullmatch("2026-11-21T24:00:00.000000Z")


def archive_of(folder: Path, manifest: bytes) -> Path:
    """Return a zip that holds this manifest alone."""
    with zipfile.ZipFile(folder / "archive.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("manifest.json", manifest)
    return folder / "archive.zip"


def test_truncated_record_is_reported_as_a_change() -> None:
    """The header isn't proven, so whoever cuts a record can make it fit; the checkpoint covers what is missing."""
    data, key = record()
    header, *lines = map(json.loads, data.decode().splitlines())
    first_half = [line | {"secret": None, "salt": None} for line in lines[: header["version"] // 2]]
    header |= {"version": len(first_half), "hash": first_half[-1]["hash"], "finished": False, "draws": 0}
    shapes = (croupier_verify._HEADER, *[croupier_verify._EVENT] * len(first_half), croupier_verify._CHECKPOINT)
    cut = [
        croupier_verify._written(0, line, shape)
        for line, shape in zip([header, *first_half, lines[-1]], shapes, strict=True)
    ]
    with pytest.raises(Changed, match="missing; the checkpoint holds version"):
        croupier_verify.verify(cut, key)


FORGED = [kind for kind in KINDS if "chained anew" in kind and "no checkpoint" not in kind]


@pytest.mark.parametrize("slug", catalogue)
def test_false_history_with_valid_hashes_is_reported_as_a_forgery(slug: str) -> None:
    """The signed checkpoint proves another history; one that is shorter than that may be a record that was cut."""
    (text, key), rng, tried = whole_records()[slug], Random(slug), 0
    for kind in FORGED:
        forged = tampered(kind, Record(text, key), rng)
        if forged is None:
            continue
        with pytest.raises(Bad) as bad:
            check_file(forged.encode(), key)
        is_shorter = json.loads(forged.splitlines()[0])["version"] < json.loads(text.splitlines()[0])["version"]
        assert bad.type is Bad or is_shorter, (kind, bad.value)
        tried += bad.type is Bad
    assert tried > 20


FALSE = [kind for kind in KINDS if "chained anew" in kind or "drawn again" in kind or "checkpoint" in kind]


@pytest.mark.parametrize("change", ["CRLF", "a byte order mark", "wrapped at 76", "gzip", "written anew by an editor"])
@pytest.mark.slow
def test_change_in_transit_does_not_hide_a_forgery(change: str) -> None:
    """A forged record is broken once the change is undone, and one that is false otherwise is no whole file."""
    rng, tried = Random(4), 0
    ((_, good),) = records("adjudicated", rng, ["pentagram"])
    for kind in FALSE:
        text = tampered(kind, good, rng)
        if text is None:
            continue
        plain, hidden = (verdict(data, good.key) for data in (text.encode(), UNDONE[change](text.encode())))
        assert hidden == plain if plain == "broken" else hidden != "whole", kind
        tried += plain == "broken"
    assert tried > 20


def verdict(data: bytes, key: str) -> str:
    """Return the verifier's answer on a file."""
    try:
        _, summary, undone = check_file(data, key)
    except Bad as bad:
        return "changed" if isinstance(bad, Changed) else "broken"
    return "uncovered" if croupier_verify.uncovered([summary]) else "undone" if undone else "whole"


def test_no_mutation_is_accepted_after_changes_are_undone() -> None:
    """A mere change of spelling is undone, and is still no pass."""
    rng = Random(5)
    ((_, good),) = records("adjudicated", rng, ["pyramid_poker"])
    for kind in KINDS:
        text = tampered(kind, good, rng)
        if text is None:
            continue
        try:
            lines, summary, undone = check_file(text.encode(), good.key)
        except Bad:
            continue
        assert (undone and "\n".join([*lines, ""]) == good.text) or croupier_verify.uncovered([summary]), kind
