"""The whole house: `verify --all` on a database of its own, archives, erased accounts, and who took what."""

import errno
import hashlib
import json
import os
import re
import subprocess
import sys
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.auth import authenticate
from django.core.management import CommandError, call_command
from django.db.models import CASCADE
from psycopg import sql

from config.deployment import secret_files
from events import access, store
from events.checkpoints import signing
from matches.accounts import erasure
from matches.audit import archive as audit_archive
from matches.audit import croupier_verify, verify_all
from matches.audit import export as audit
from matches.audit.croupier_verify import Bad
from matches.domain import names as accounts
from matches.models import AccessToken, Account, MailAddress, Notice, Reach, UploadedPicture, Webhook
from matches.models.talk import Report
from matches.notifications import notices
from matches.seasons import calendars
from matches.seasons import notices as season_notices
from matches.seasons.models import Room, RoomMember, RoomRead, Season
from matches.services import hosting
from matches.storage import repository as table
from matches.storage import seeds
from matches.talk import blocking, muting
from tests.api.seasons import Cup
from tests.conftest import database_of_its_own
from tests.events.staging import owner
from tests.matches.test_audit import VERIFIER, alone, exported
from tests.matches.test_seeds import TABLES
from tests.table_setting import ROOT, new_account, new_token, play_on, play_to_the_end, running_match
from tests.waiting import PATIENCE

PLAY = """
import django; django.setup()
from config.deployment import database
database.prepare(print)
from events.checkpoints import signing as checkpoints
from tests.table_setting import *
play_to_the_end(running_match("pentagram"))
play_on(running_match("pyramid_poker"), 9)
checkpoints.sign_if_due(after_seconds=0)
checkpoints.publish()
"""


class House:
    """A database and a data folder of its own, with some matches and a signed checkpoint."""

    def __init__(self, url: str, data: Path) -> None:
        self.url = url
        logins = {name: value for name, value in os.environ.items() if not name.startswith(("DATABASE_", "CROUPIER_"))}
        self.env = logins | {"DATABASE_URL": url, "CROUPIER_DATA": str(data), "CROUPIER_LIMITS": "off"}

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """A program in this house."""
        return subprocess.run(
            [sys.executable, *words], cwd=ROOT, env=self.env, capture_output=True, text=True, timeout=PATIENCE
        )

    def verify(self, *words: str) -> subprocess.CompletedProcess[str]:
        """`manage.py verify --all`."""
        return self.run("manage.py", "verify", "--all", *words)

    def tamper(self, statement: str) -> None:
        """An owner's statement past the triggers."""
        with psycopg.connect(self.url) as owner:
            owner.execute("SET LOCAL session_replication_role = replica")
            for table_name in ("events_event", "events_leaf"):
                owner.execute(f"ALTER TABLE {table_name} DISABLE TRIGGER USER")
            owner.execute(statement)
            for table_name in ("events_event", "events_leaf"):
                owner.execute(f"ALTER TABLE {table_name} ENABLE ALWAYS TRIGGER {table_name}_append_only")
                owner.execute(f"ALTER TABLE {table_name} ENABLE ALWAYS TRIGGER {table_name}_no_truncate")


def test_verify_all_accepts_a_sound_database_and_finds_each_fault_of_a_damaged_one(tmp_path: Path) -> None:
    secret_files.ensure(tmp_path / "secrets")
    with database_of_its_own(settings.DATABASE_LOGINS.owner, purpose="audit") as url:
        house = House(url, tmp_path)
        played = house.run("-c", PLAY)
        assert played.returncode == 0, played.stderr
        good = house.verify("--rules", "--processes", "2")
        assert good.returncode == 0, good.stdout + good.stderr
        assert "All holds: 2 streams" in good.stdout and "drawn again" in good.stdout
        house.tamper(
            "UPDATE events_event SET actor = 'mallory' WHERE version = 4"
            " AND stream = (SELECT min(stream::text)::uuid FROM events_head)"
        )
        house.tamper("DELETE FROM events_event WHERE stream = (SELECT max(stream::text)::uuid FROM events_head)")
        house.tamper("DELETE FROM events_head WHERE stream = (SELECT max(stream::text)::uuid FROM events_head)")
        bad = house.verify("--processes", "1")
        assert bad.returncode != 0
        assert "version 4: the hash does not match the event's facts" in bad.stdout
        assert "missing; a signed checkpoint holds it" in bad.stdout, "the stream that was deleted with its head"


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of two matches, one of them running."""
    over, running = running_match("pentagram"), running_match("pyramid_poker")
    play_to_the_end(over)
    play_on(running, 5)
    signing.sign_if_due(after_seconds=0)
    file = tmp_path_factory.mktemp("archive") / "season.zip"
    call_command("export_archive", str(file), match=[over.code, str(running.id)])
    return file


def test_archive_is_read_and_verified_without_the_server(archive: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(archive) as opened:
        names = opened.namelist()
        manifest = json.loads(opened.read("manifest.json"))
        stories = [opened.read(name).decode() for name in names if name.startswith("stories/")]
        assert opened.read("croupier_verify.py") == VERIFIER.read_bytes()
    assert len(manifest["matches"]) == len(stories) == 2
    assert any("The seed was revealed." in story for story in stories)
    held = alone(archive, manifest["verifier_key"], cwd=tmp_path)
    assert (held.returncode, held.stderr) == (0, ""), held.stdout
    assert "all 2 records hold" in held.stdout
    assert "2 of them are in a checkpoint that is signed with the key" in held.stdout
    assert "the stories were not checked" in held.stdout
    call_command("verify", str(archive))
    for entry in manifest["matches"]:
        assert [it.kind for it in access.of(entry["match"])] == ["archived"]


def test_the_records_of_an_archive_are_held_against_the_rules_too(
    archive: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    call_command("verify", str(archive), rules=True)
    output = capsys.readouterr().out
    assert "Replayed by the rules: the outcomes of those that are over are the recorded ones." in output
    assert re.search(r"^Decided again by the rules: [1-9]\d+ acts of 1 finished match", output, re.MULTILINE)

    def refuse(_: object) -> None:
        raise Bad(7, "the rules give another outcome")

    monkeypatch.setattr(audit, "replay", refuse)
    with pytest.raises(CommandError, match=r"BROKEN at version 7: records/\w+\.ndjson: the rules give another outcome"):
        call_command("verify", str(archive))


def rewritten(archive: Path, to: Path, change: dict[str, bytes | None]) -> Path:
    """The archive with some of its files changed or left out."""
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(to, "w") as new:
        for name in old.namelist():
            data = change.get(name, old.read(name))
            if data is not None:
                new.writestr(name, data)
        for name in change.keys() - set(old.namelist()):
            new.writestr(name, change[name] or b"")
    return to


def test_an_archive_with_two_files_of_one_name_does_not_hold(archive: Path, tmp_path: Path) -> None:
    doubled = tmp_path / "doubled.zip"
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(doubled, "w") as new, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in old.namelist():
            if name.startswith("records/"):
                new.writestr(name, b"another story")
            new.writestr(name, old.read(name))
    with pytest.raises(Bad, match="several files of one name"):
        croupier_verify.verify_archive(doubled)


def test_archive_without_draws_is_accepted_only_with_the_no_draws_option(archive: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(archive) as opened:
        manifest = json.loads(opened.read("manifest.json"))
        entry = next(it for it in manifest["matches"] if it["game"] == "pentagram")
        lines = [json.loads(line) for line in opened.read(entry["file"]).decode().splitlines()]
    lines[0]["draws"] = 0
    record = b"".join(audit.as_line(line) for line in lines if "draw" not in line)
    entry["sha256"] = hashlib.sha256(record).hexdigest()
    change = {entry["file"]: record, "manifest.json": json.dumps(manifest).encode()}
    silent, undrawn = "1 whose seed is open tell no draws", rewritten(archive, tmp_path / "undrawn.zip", change)
    refused = alone(undrawn, cwd=tmp_path)
    assert refused.returncode == 4 and "what it tells was not drawn" in refused.stdout
    let_pass = alone("--no-draws", undrawn, cwd=tmp_path)
    assert let_pass.returncode == 0 and silent in let_pass.stdout
    assert silent not in alone("--no-draws", archive, cwd=tmp_path).stdout
    with pytest.raises(CommandError, match="what it tells was not drawn"):
        call_command("verify", str(undrawn))
    call_command("verify", str(undrawn), no_draws=True)


@pytest.mark.parametrize("field", ["game", "hash", "finished", "version", "match"])
def test_manifest_that_differs_from_its_records_is_refused(archive: Path, tmp_path: Path, field: str) -> None:
    with zipfile.ZipFile(archive) as opened:
        manifest = json.loads(opened.read("manifest.json"))
    manifest["matches"][0][field] = "another"
    forged = rewritten(archive, tmp_path / "forged.zip", {"manifest.json": json.dumps(manifest).encode()})
    with pytest.raises(croupier_verify.Bad, match="the manifest tells another"):
        croupier_verify.verify_archive(forged)


def manifest_of(archive: Path) -> dict[str, Any]:
    """Return the archive's manifest."""
    with zipfile.ZipFile(archive) as opened:
        manifest: dict[str, Any] = json.loads(opened.read("manifest.json"))
    return manifest


def refused(archive: Path, reason: str) -> None:
    """Both verifiers find it broken for this reason."""
    with pytest.raises(Bad, match=reason):
        croupier_verify.verify_archive(archive)
    with pytest.raises(CommandError, match=reason):
        call_command("verify", str(archive))


def test_an_archive_of_nothing_does_not_hold(archive: Path, tmp_path: Path) -> None:
    manifest = manifest_of(archive) | {"matches": [], "seasons": []}
    change = {it["file"]: None for it in manifest_of(archive)["matches"]}
    empty = rewritten(archive, tmp_path / "e.zip", {**change, "manifest.json": json.dumps(manifest).encode()})
    refused(empty, "holds no record")


def test_manifest_with_duplicate_keys_or_records_is_refused(archive: Path, tmp_path: Path) -> None:
    manifest = json.dumps(manifest_of(archive))
    twice = manifest.replace('{"format"', '{"matches": [], "format"', 1).encode()
    refused(rewritten(archive, tmp_path / "t.zip", {"manifest.json": twice}), "a name stands twice")
    changed = manifest_of(archive)
    changed["matches"].append(changed["matches"][0])
    change = {"manifest.json": json.dumps(changed).encode()}
    refused(rewritten(archive, tmp_path / "d.zip", change), "a file of its own")


@pytest.mark.parametrize(
    "change", [{"format": "croupier-archive-v2"}, {"matches": None}, {"matches": [{}]}, {"seasons": "none"}]
)
def test_a_manifest_of_another_kind_does_not_hold(archive: Path, tmp_path: Path, change: dict[str, Any]) -> None:
    manifest = json.dumps(manifest_of(archive) | change).encode()
    refused(rewritten(archive, tmp_path / "o.zip", {"manifest.json": manifest}), "has no manifest")


def test_archive_with_one_match_in_two_records_is_refused(archive: Path, tmp_path: Path) -> None:
    manifest = manifest_of(archive)
    with zipfile.ZipFile(archive) as opened:
        data = opened.read(manifest["matches"][0]["file"])
    manifest["matches"].append(manifest["matches"][0] | {"file": "records/AGAIN.ndjson"})
    change = {"records/AGAIN.ndjson": data, "manifest.json": json.dumps(manifest).encode()}
    refused(rewritten(archive, tmp_path / "a.zip", change), "a match twice")


def test_archive_with_a_foreign_file_is_refused(archive: Path, tmp_path: Path) -> None:
    refused(rewritten(archive, tmp_path / "p.zip", {"setup.py": b"import os"}), "no part of an archive")


def test_archive_that_would_fill_the_memory_is_not_unpacked(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A few kilobytes, packed, that are a thousand times as much unpacked."""
    monkeypatch.setattr(croupier_verify, "MOST_UNPACKED", 2**23)
    bomb = tmp_path / "bomb.zip"
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
        with new.open("stories/bomb.txt", "w", force_zip64=True) as member:
            for _ in range(9):
                member.write(bytes(2**20))
    assert bomb.stat().st_size < 2**17
    refused(bomb, "too long unpacked")


def test_archive_with_more_than_50000_files_is_refused(tmp_path: Path) -> None:
    """Their number stands at the end, and is looked at before their list is read."""
    many, end = tmp_path / "many.zip", bytearray(b"PK\5\6" + bytes(18))
    end[8:10] = end[10:12] = (60_000).to_bytes(2, "little")
    many.write_bytes(bytes(100) + end)
    refused(many, "more than 50000 files")
    end[20:22] = b"\4\0"
    many.write_bytes(bytes(100) + end + b"note")
    refused(many, "doesn't end where a zip does")


def encrypted(data: bytes) -> bytes:
    """The archive as if a password had been set: each file's header says so."""
    marked = bytearray(data)
    for mark, flags in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        for occurrence in re.finditer(mark, data):
            marked[occurrence.start() + flags] |= 1
    return bytes(marked)


def damaged(data: bytes) -> bytes:
    """The archive with a few wrong bytes in the packed text of its first file."""
    return data[:300] + bytes(byte ^ 0xFF for byte in data[300:340]) + data[340:]


@pytest.mark.parametrize("harm", [encrypted, damaged])
def test_damaged_archive_is_reported_in_a_sentence(
    archive: Path, tmp_path: Path, harm: Callable[[bytes], bytes]
) -> None:
    harmed = tmp_path / "harmed.zip"
    harmed.write_bytes(harm(archive.read_bytes()))
    checked = alone(harmed, cwd=tmp_path)
    assert (checked.returncode, checked.stderr) == (4, ""), checked.stderr
    assert checked.stdout.startswith("CHANGED at version 0: ")


@pytest.mark.parametrize("manifest", [b"[" * 100_000, b'{"matches": [{"file": 1}, {"file": "x"}]}'])
def test_archive_without_a_valid_manifest_is_reported_as_changed(
    archive: Path, tmp_path: Path, manifest: bytes
) -> None:
    process = alone(rewritten(archive, tmp_path / "forged.zip", {"manifest.json": manifest}), cwd=tmp_path)
    assert (process.returncode, process.stderr) == (4, ""), process.stderr
    assert "the archive has no manifest" in process.stdout


def test_checkpoints_in_a_missing_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="There is no folder"):
        call_command("verify", "--all", "--checkpoints", str(tmp_path / "elsewhere"))


def test_verify_says_that_nothing_outside_was_checked_without_a_checkpoint_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(verify_all, "faults", lambda **_: iter(()))
    call_command("verify", "--all", "--checkpoints", str(tmp_path))
    output = capsys.readouterr().out
    assert f"but {tmp_path} holds no copy of a checkpoint, so that nothing outside was checked" in output


def test_changed_archive_is_refused(archive: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(archive) as opened:
        record = next(name for name in opened.namelist() if name.startswith("records/"))
        data = opened.read(record)
        manifest = json.loads(opened.read("manifest.json"))
    manifest["matches"] = manifest["matches"][:1]
    for place, change in enumerate(
        (
            {record: data.replace(b'"actor":"', b'"actor":"x', 1)},
            {record: None},
            {"records/OTHER.ndjson": data},
            {"manifest.json": None},
            {"manifest.json": json.dumps(manifest).encode()},
            {"manifest.json": b"[]"},
        )
    ):
        with pytest.raises(Bad):
            croupier_verify.verify_archive(rewritten(archive, tmp_path / f"{place}.zip", change))


def test_an_archive_of_no_such_match_or_player_is_refused(tmp_path: Path) -> None:
    match, other = running_match("pentagram"), new_account()
    for chosen, sentence in (
        ({"match": ["NOSUCH"]}, "don't exist"),
        ({"player": "nobody of that name"}, "no account"),
        ({"player": other.username}, "no such matches"),
        ({"match": [match.code], "player": other.username}, "not among those of the season or the player"),
    ):
        with pytest.raises(CommandError, match=sentence):
            call_command("export_archive", str(tmp_path / "a.zip"), **chosen)
    assert not (tmp_path / "a.zip").exists()


def test_archive_too_large_for_the_verifier_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = running_match("pentagram")
    assert 2 * audit_archive.MOST_MATCHES < croupier_verify.MOST_MEMBERS
    monkeypatch.setattr(audit_archive, "MOST_MATCHES", 0)
    with pytest.raises(CommandError, match="Export several"):
        call_command("export_archive", str(tmp_path / "a.zip"), match=[match.code])


def test_failed_export_of_an_archive_leaves_no_file_and_no_access_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = running_match("pentagram")
    for file, sentence in ((tmp_path / "nowhere" / "a.zip", "There is no folder"), (tmp_path, "is a folder")):
        with pytest.raises(CommandError, match=sentence):
            call_command("export_archive", str(file), match=[match.code])
    assert access.of(match.id) == []

    def full(*_: object, **__: object) -> Any:
        yield b"PK"
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("matches.audit.archive.pieces", full)
    with pytest.raises(CommandError, match=r"Can't write .*: No space left on device\."):
        call_command("export_archive", str(tmp_path / "a.zip"), match=[match.code])
    assert list(tmp_path.iterdir()) == []


# Seeds


def test_wrong_seed_is_reported_without_its_value(capsys: pytest.CaptureFixture[str]) -> None:
    swapped, lost, locked, sound = (running_match("pentagram") for _ in range(4))
    with owner() as hand:
        other = seeds._box().encrypt(b"x" * 32)
        hand.execute("UPDATE matches_seed SET sealed = %s WHERE match_id = %s", [other, swapped.id])
        hand.execute("DELETE FROM matches_seed WHERE match_id = %s", [lost.id])
        hand.execute("UPDATE matches_seed SET sealed = 'locked' WHERE match_id = %s", [locked.id])
    report = verify_all.check([it.id for it in (swapped, lost, locked, sound)], rules=False)
    assert {it.stream: it.reason for it in report.broken} == {
        swapped.id: "its sealed seed is not the one that was promised",
        lost.id: "its sealed seed is missing",
        locked.id: "its sealed seed doesn't open with the house's key",
    }
    assert (b"x" * 32).hex() not in repr(report) + capsys.readouterr().out


# Who took what


def test_audit_lists_looks_exports_and_changes() -> None:
    host, mira = new_account(), new_account()
    match = running_match("pyramid_poker", mira, new_account(), opener=host)
    hosting.view_truth(match_id=match.id, by=host.id)
    hosting.pause(match_id=match.id, by=host.id, reason="Tea.")
    for _ in range(3):
        access.note(match.id, str(mira.id), "exported")
    entries = audit.standing(match.id).access
    assert [(it.kind, it.by) for it in entries] == [
        ("exported", str(mira.id)), ("changed", str(host.id)), ("truth_viewed", str(host.id)),
        ("changed", str(match.opened_by_id)),
    ]  # fmt: skip
    assert entries[1].text == "The match was paused: Tea."


# Erasure


def test_match_that_breaks_the_rules_engine_is_reported_and_others_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    odd, sound = running_match("pentagram"), running_match("pentagram")
    export = audit.export

    def trip(match_id: Any) -> Any:
        if match_id == odd.id:
            raise KeyError("ghost_seen")
        return export(match_id)

    monkeypatch.setattr(audit, "export", trip)
    report = verify_all.check([odd.id, sound.id], rules=True)
    assert report.streams == 2
    ((stream, _, reason),) = report.broken
    assert stream == odd.id and "ghost_seen" in reason


def account_with(password: str) -> Account:
    """An account that can log in, with a token."""
    account = new_account(password)
    new_token(account)
    return account


def test_an_erased_account_is_gone_and_its_matches_still_verify() -> None:
    mira = account_with("seven blue lanterns")
    name = mira.username
    match = running_match("pentagram", mira, new_account())
    play_to_the_end(match)
    before = exported(match.id)
    erased = erasure.erase(mira.id)
    mira.refresh_from_db()
    assert name not in (mira.username, mira.name_key) and mira.username == erased
    assert not mira.is_active and not mira.has_usable_password()
    assert not AccessToken.objects.filter(account=mira).exists()
    assert authenticate(username=name, password="seven blue lanterns") is None
    assert authenticate(username=erased, password="seven blue lanterns") is None
    assert exported(match.id)[: len(before)] == before
    croupier_verify.verify(exported(match.id))
    assert table.load(match.id).lifecycle.players[0] == str(mira.id)
    assert Account.objects.create_user(name).username == name, "the name is free again"


def test_erasing_an_account_deletes_its_webhook_and_notices() -> None:
    mira = account_with("seven blue lanterns")
    notices.set_webhook(mira, "http://1.1.1.1/mira-at-home")
    notices.queue_test(Webhook.objects.get(account=mira))
    erasure.erase(mira.id)
    assert not Webhook.objects.filter(account=mira).exists()
    assert not Notice.objects.filter(webhook__account=mira).exists()


def reachable(account: Account) -> None:
    """It has an address, a browser, wishes of its own, and is called."""
    now = store.clock()
    Reach.objects.create(account=account)
    MailAddress.objects.create(account=account, sealed=b"an address", digest=b"its digest")
    account.call_choices.create(kind="result", way="push", wanted=True)
    account.season_calls.create(season_id=uuid4(), choice="none")
    account.pushes.create(sealed=b"a browser", digest=b"its digest", label="At home")
    account.calls.create(way="page", kind="result", cause="the end", made_at=now, due_at=now, next_try_at=now)


def test_erasing_an_account_deletes_its_notes_remarks_and_blocks() -> None:
    mira = account_with("seven blue lanterns")
    match = running_match("pentagram", new_account(), new_account())
    notices.set_webhook(mira, "http://1.1.1.1/mira-at-home")
    mira.notes.create(match_id=match.id, text="Tobias always bluffs.")
    mira.remarks.create(match_id=match.id, at_version=3, text="Go, Tobias!")
    muting.mute(about=match.id, account=mira, by=new_account(), reason="Too loud.", span="match")
    blocking.block(mira, new_account().id)
    blocking.block(new_account(), mira.id)
    UploadedPicture.objects.create(name="0" * 32, account=mira, jpeg=b"a picture")
    calendars.make(mira, None)
    season = Season.objects.get(id=Cup(3).id)
    season.availabilities.create(account=mira, said={}, said_at=store.clock())
    season.display_names.create(id=uuid4(), account=mira, name="Mira at home")
    rooms_of(mira, season)
    reachable(mira)
    related = [it for it in Account._meta.related_objects if it.on_delete is CASCADE]
    theirs = [it for it in related if it.related_model is not LogEntry]
    rows = {it.related_model: it.related_model._base_manager.filter(**{it.field.name: mira}) for it in theirs}
    assert all(query.exists() for query in rows.values()), "A new kind of row: let this test make one too."
    erasure.erase(mira.id)
    assert not any(query.exists() for query in rows.values())


def rooms_of(account: Account, season: Season) -> None:
    """Give an account a confessional, a private room that it has read, and a report of another's remark."""
    Room.objects.create(id=uuid4(), season=season, kind=Room.Kind.CONFESSIONAL, subject=account)
    room = Room.objects.create(id=uuid4(), season=season, kind=Room.Kind.PRIVATE)
    RoomMember.objects.create(room=room, account=account)
    RoomRead.objects.create(room=room, account=account, number=1)
    remark = new_account().remarks.create(match_id=uuid4(), at_version=1, text="Fool!")
    Report.objects.create(id=uuid4(), season=season.id, remark=remark, by=account, reason="An insult.")


def test_name_of_an_erased_account_cannot_be_registered() -> None:
    mira = account_with("seven blue lanterns")
    Account.objects.create_user(f"erased {mira.id.hex[:16]}")
    erased = erasure.erase(mira.id)
    for name in (erased, erased.title(), "erased\N{NO-BREAK SPACE}tobias", f"erased {mira.id.hex[:16]}", "Erased-x"):
        assert "erased" in (accounts.name_fault(name) or "")
    assert len(erased) <= accounts.MAX_LENGTH


def test_account_with_a_seat_in_a_running_match_is_not_erased() -> None:
    mira = account_with("seven blue lanterns")
    match = running_match("pentagram", mira, new_account())
    with pytest.raises(erasure.StillSeated, match=match.code):
        erasure.erase(mira.id)
    with pytest.raises(CommandError, match="substitute"):
        call_command("erase_account", mira.username, yes=True)
    hosting.substitute(match_id=match.id, by=match.opened_by_id, seat=0, player=new_account().id, reason="Gone.")
    call_command("erase_account", mira.username, yes=True)
    mira.refresh_from_db()
    assert mira.username.startswith("erased ")


def test_erased_name_is_in_no_table() -> None:
    cup = Cup(4)
    mira = cup.players[3]
    notices.set_season_webhook(UUID(cup.id), "http://1.1.1.1/the-cup")
    play_to_the_end(running_match("pentagram", Account.objects.get(id=mira.id), new_account()))
    cup.episode()
    season_notices.queue_new_notices()
    assert {"events_key", "matches_notice"} < tables_that_tell(mira.name), "the search itself must find it"
    erasure.erase(UUID(mira.id))
    assert tables_that_tell(mira.name) == set()


def tables_that_tell(name: str) -> set[str]:
    """The tables and views with a row in which this name stands, in a text or in bytes."""
    forms = [f"%{name}%", f"%{name.encode().hex()}%"]
    holds = sql.SQL("SELECT EXISTS (SELECT 1 FROM {} AS t WHERE t.*::text LIKE ANY (%s))")
    with owner() as hand:
        tables = [table for (table,) in hand.execute(TABLES).fetchall()]
        return {it for it in tables if hand.execute(holds.format(sql.Identifier(it)), [forms]).fetchone() == (True,)}
