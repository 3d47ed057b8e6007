"""A season taken away: its record and the archive of all its matches hold without the house, or are found out."""

import json
import zipfile
from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import pytest
from django.core.management import CommandError, call_command

from events import access, outbox, store
from events.checkpoints import signing
from matches.audit import archive as audit_archive
from matches.audit import croupier_verify, export
from matches.audit.croupier_verify import Bad, Changed, verify_archive
from matches.seasons import archive, process_manager, repository, timekeeping
from matches.seasons.domain import corrections, episodes, results, roster
from matches.seasons.models import Season
from tests.matches.test_audit import alone
from tests.matches.test_audit_house import rewritten
from tests.seasons.test_delivery import Stored
from tests.seasons.test_reopening import Ended
from tests.seasons.test_timekeeping import checked_in, later, with_check_in
from tests.table_setting import new_account

Told = list[dict[str, Any]]


def played() -> Stored:
    """A season with a substitution, whose death match is lost and counts."""
    season, newcomer = Stored().finished(), new_account()
    leaver = str(season.players[3].id)
    season.act(lambda it, by: roster.substitute(it, by, leaver, str(newcomer.id), "A long journey."))
    outbox.deliver("season_results", season.match, store.LAST_VERSION)
    season.act(lambda it, by: results.approve(it, by, str(season.match)))
    signing.sign_if_due(after_seconds=0)
    return season


@pytest.fixture(scope="module")
def season() -> Stored:
    return played()


@pytest.fixture(scope="module")
def file(season: Stored, tmp_path_factory: pytest.TempPathFactory) -> Path:
    to = tmp_path_factory.mktemp("archive") / "season.zip"
    call_command("export_archive", str(to), season=season.id)
    return to


def record_of(season: Stored) -> list[str]:
    return [line.decode() for line in archive.export(season.id)]


def forged(lines: list[str], change: Callable[[Told], None]) -> list[str]:
    """A record whose events were changed by somebody who knows how hashes are made."""
    header, *events = map(json.loads, lines[: json.loads(lines[0])["version"] + 1])
    change(events)
    previous = b""
    for event in events:
        previous = croupier_verify.event_hash(previous, UUID(header["season"]), event)
        event["hash"] = previous.hex()
    header |= {"hash": previous.hex(), "checkpoint": False}
    return [export.as_line(it).decode() for it in (header, *events)]


def test_record_of_a_season_is_verified_without_the_server(season: Stored, tmp_path: Path) -> None:
    record = tmp_path / "season.ndjson"
    record.write_text("".join(record_of(season)))
    key = signing.signer().verifier_key
    held = alone(record, key, cwd=tmp_path)
    assert (held.returncode, held.stderr) == (0, ""), held.stdout
    assert "its ledger adds up" in held.stdout and "signed with the key" in held.stdout
    call_command("verify", str(record))
    summary = croupier_verify.verify(record_of(season), key)
    assert (summary["events"], summary["title"], summary["signed"]) == (
        repository.load(season.id).version,
        "A cup",
        True,
    )


def test_archive_contains_the_seasons_record_story_people_and_matches(
    season: Stored, file: Path, tmp_path: Path
) -> None:
    with zipfile.ZipFile(file) as opened:
        manifest = json.loads(opened.read("manifest.json"))
        story = opened.read("stories/season.txt").decode()
        assert opened.testzip() is None
    (listed,) = manifest["seasons"]
    everybody = {str(it.id) for it in season.players} | {str(season.organiser.id)}
    assert listed["people"].keys() > everybody
    assert [it["match"] for it in manifest["matches"]] == [str(season.match)]
    assert f"approved by {season.organiser.username}" in story and "somebody" not in story
    assert len(story.splitlines()) == listed["version"]
    held = alone(file, manifest["verifier_key"], cwd=tmp_path)
    assert (held.returncode, held.stderr) == (0, ""), held.stdout
    assert "all 2 records hold" in held.stdout
    assert "the season 'A cup' counts the results that its matches' records have" in held.stdout
    call_command("verify", str(file))
    assert [(it.actor, it.kind) for it in access.of(season.id)] == [("operator", "archived")]


def swapped(events: Told) -> None:
    for event in events:
        if event["type"] in ("death_match_finished", "player_eliminated"):
            public = event["public"]
            if "winner" in public:
                public["winner"], public["loser"] = public["loser"], public["winner"]


def enriched(events: Told) -> None:
    next(it for it in events if it["type"] == "garnets_moved" and it["public"]["from"])["public"]["amount"] += 5


def retitled(events: Told) -> None:
    events[0]["public"]["title"] = "Another cup"


@pytest.mark.parametrize(
    ("change", "reason"),
    [(swapped, "counts another result"), (enriched, "aren't there"), (retitled, "disagree")],
)
def test_forged_record_of_a_season_with_valid_hashes_is_detected(
    season: Stored, file: Path, tmp_path: Path, change: Callable[[Told], None], reason: str
) -> None:
    lines = forged(record_of(season), change)
    data = "".join(lines).encode()
    with zipfile.ZipFile(file) as opened:
        manifest = json.loads(opened.read("manifest.json"))
    manifest["seasons"][0] |= {"sha256": sha256(data).hexdigest(), "hash": json.loads(lines[0])["hash"]}
    parts = {manifest["seasons"][0]["file"]: data, "manifest.json": json.dumps(manifest).encode()}
    with pytest.raises(Bad, match=reason):
        verify_archive(rewritten(file, tmp_path / "forged.zip", parts))


def corrected() -> Stored:
    """A season in which a player left their death match, that was annulled and played again after, and a main match
    corrected when its episode was over."""
    season = Stored().opened()
    _, second, third, leaver = (str(it.id) for it in season.players)
    season.act(lambda it, by: roster.withdraw(it, by, leaver, "The train is late."))
    process_manager.settle_tables(season.id)
    season.act(lambda it, by: corrections.correct_main_match(it, by, 1, "A die fell.", [second], [leaver], {second: 2}))
    season.act(lambda it, by: results.annul(it, by, str(season.match), "The line was down."))
    season.act(lambda it, by: episodes.close_episode(it, by, "It is late."))
    season.act(lambda it, by: corrections.correct_main_match(it, by, 1, "A die fell.", [third], [leaver]))
    signing.sign_if_due(after_seconds=0)
    return season


def test_archive_with_a_forfeit_and_corrections_is_verified_without_the_server(tmp_path: Path) -> None:
    season, to = corrected(), tmp_path / "season.zip"
    call_command("export_archive", str(to), season=season.id)
    assert {"match_forfeited", "main_match_corrected", "elimination_reversed", "episode_reopened"} <= set(
        season.types()
    )
    held = alone(to, signing.signer().verifier_key, cwd=tmp_path)
    assert (held.returncode, held.stderr) == (0, ""), held.stdout
    call_command("verify", str(to))

    with pytest.raises(Bad, match="the player who left or didn't come has lost"):
        verify_archive(with_another_record(season, to, won_by_the_other))


def won_by_the_other(events: Told) -> None:
    public = next(it for it in events if it["type"] == "death_match_finished")["public"]
    public["winner"], public["loser"] = public["loser"], public["winner"]


def with_another_record(season: Stored, file: Path, change: Callable[[Told], None]) -> Path:
    """The archive with the season's record forged, by somebody who knows how manifests are made."""
    data = "".join(forged(record_of(season), change)).encode()
    with zipfile.ZipFile(file) as opened:
        manifest = json.loads(opened.read("manifest.json"))
    manifest["seasons"][0] |= {"sha256": sha256(data).hexdigest(), "hash": json.loads(data.splitlines()[0])["hash"]}
    parts = {manifest["seasons"][0]["file"]: data, "manifest.json": json.dumps(manifest).encode()}
    return rewritten(file, file.with_name("forged.zip"), parts)


def test_archive_with_a_match_lost_by_absence_is_verified_without_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    season, to = with_check_in(absence="loss"), tmp_path / "season.zip"
    checked_in(season, 0)
    later(timedelta(minutes=4), monkeypatch)
    assert timekeeping.keep_time(season.id)
    process_manager.settle_tables(season.id)
    season.act(lambda it, by: results.approve(it, by, str(season.match)))
    assert {"absence_decided", "player_eliminated"} <= set(season.types())
    signing.sign_if_due(after_seconds=0)
    call_command("export_archive", str(to), season=season.id)
    held = alone(to, signing.signer().verifier_key, cwd=tmp_path)
    assert (held.returncode, held.stderr) == (0, ""), held.stdout
    call_command("verify", str(to))
    with pytest.raises(Bad, match="the player who left or didn't come has lost"):
        verify_archive(with_another_record(season, to, won_by_the_other))

    def all_there(events: Told) -> None:
        next(it for it in events if it["type"] == "absence_decided")["public"] |= {"ruling": "play", "loser": None}

    with pytest.raises(Bad, match="or void"):
        verify_archive(with_another_record(season, to, all_there))


def test_records_of_an_archive_from_before_and_after_a_rewind_are_no_forgery(tmp_path: Path) -> None:
    season = Ended()

    def archived(name: str) -> dict[str, bytes]:
        to = tmp_path / name
        call_command("export_archive", str(to), season=season.id)
        with zipfile.ZipFile(to) as opened:
            return {it: opened.read(it) for it in opened.namelist()}

    before = archived("before.zip")
    season.plays_on()
    after = archived("after.zip")
    manifests = [json.loads(it["manifest.json"]) for it in (before, after)]

    def mixed(older: str) -> Path:
        manifest = manifests[1] | {older: manifests[0][older]}
        parts = {manifest[older][0]["file"]: before[manifests[0][older][0]["file"]]}
        parts["manifest.json"] = json.dumps(manifest).encode()
        return rewritten(tmp_path / "after.zip", tmp_path / f"{older}.zip", after | parts)

    # The season takes the result back, whatever the match's record says.
    verify_archive(mixed("matches"))
    with pytest.raises(Changed, match="recorded at another time"):
        verify_archive(mixed("seasons"))


def test_counted_result_without_its_matchs_record_is_refused(file: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(file) as opened:
        manifest = json.loads(opened.read("manifest.json"))
    (match,) = manifest["matches"]
    parts = {match["file"]: None, "manifest.json": json.dumps(manifest | {"matches": []}).encode()}
    with pytest.raises(Bad, match="whose record is not here"):
        verify_archive(rewritten(file, tmp_path / "less.zip", parts))


def test_a_changed_line_of_a_season_is_named_by_its_version(season: Stored) -> None:
    lines = record_of(season)
    for version in (1, 5, len(lines) - 2):
        changed = [*lines]
        changed[version] = lines[version].replace('"actor":"', '"actor":"x', 1)
        with pytest.raises(Bad) as bad:
            croupier_verify.verify(changed)
        assert bad.value.version == version
    with pytest.raises(Bad):
        croupier_verify.verify([*lines[:4], *lines[5:]])
    with pytest.raises(Bad):
        croupier_verify.verify(lines[:1])


def test_rules_detect_a_champion_that_no_event_made(season: Stored) -> None:
    header, *rest = record_of(season)
    with pytest.raises(Bad, match="another champion"):
        archive.replay([json.dumps({**json.loads(header), "champion": "nobody"}), *rest])


def test_unknown_season_has_no_archive(tmp_path: Path) -> None:
    with pytest.raises(CommandError):
        call_command("export_archive", str(tmp_path / "a.zip"), season=UUID(int=5))
    assert list(tmp_path.iterdir()) == []


def test_archive_of_a_season_is_recorded_only_if_its_file_can_be_written(tmp_path: Path) -> None:
    season = Stored()
    folder = tmp_path / ".season.zip.part"
    folder.mkdir()
    with pytest.raises(CommandError, match="Can't write"):
        call_command("export_archive", str(tmp_path / "season.zip"), season=season.id)
    assert access.of(season.id) == []
    folder.rmdir()
    call_command("export_archive", str(tmp_path / "season.zip"), season=season.id)
    assert [(it.actor, it.kind) for it in access.of(season.id)] == [("operator", "archived")]


def test_archive_is_streamed_in_small_pieces_however_long_the_season() -> None:
    season = Stored()
    for number in range(20):
        text = Random(number).randbytes(20_000).hex()
        season.act(lambda it, by, text=text: roster.rule(it, by, text))
    row = Season.objects.get(id=season.id)
    pieces = list(archive.pieces(row, "somebody", audit_archive.HOST))
    whole = sum(map(len, pieces))
    assert whole > 8 * audit_archive.PIECE
    assert max(map(len, pieces)) < 2 * audit_archive.PIECE
    with zipfile.ZipFile(BytesIO(b"".join(pieces))) as opened:
        assert opened.testzip() is None
