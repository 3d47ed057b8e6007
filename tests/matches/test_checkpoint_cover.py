"""Coverage of a record by its checkpoint: the verifier says which events came after the last signature."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from events.checkpoints import signing
from matches.audit import croupier_verify, export
from matches.models import Match
from tests.matches.test_audit import alone
from tests.table_setting import play_on, running_match


@pytest.fixture
def key() -> str:
    """The house's verifier key."""
    return signing.signer().verifier_key


@pytest.fixture
def match() -> Match:
    """A running match that a signed checkpoint holds up to its newest event."""
    match = running_match("pyramid_poker")
    play_on(match, 4)
    signing.sign_if_due(after_seconds=0)
    return match


@pytest.fixture
def grown(match: Match) -> str:
    """The match went on past its checkpoint; what a check has to say of it."""
    covered = export.standing(match.id).version
    play_on(match, 3)
    version = export.standing(match.id).version
    assert covered < version
    return f"ts first {covered} of {version} events are in the checkpoint of"


def record(match: Match, folder: Path) -> Path:
    """Its export in a file."""
    file = folder / "record.ndjson"
    file.write_bytes(b"".join(export.export(match.id)))
    return file


def verified(file: Path, **options: object) -> str:
    """Return the output of `manage.py verify`."""
    printed = StringIO()
    call_command("verify", str(file), stdout=printed, **options)
    return printed.getvalue()


def uncovered(file: Path, key: str, cwd: Path) -> list[str]:
    """Return the outputs of both verifiers for a valid record that no checkpoint covers in full; their status is 3."""
    printed = StringIO()
    with pytest.raises(CommandError, match="NOT COVERED: no checkpoint signed with the key covers") as refused:
        call_command("verify", str(file), stdout=printed, key=key)
    ended = alone(file, key, cwd=cwd)
    assert refused.value.returncode == ended.returncode == 3
    assert "NOT COVERED: no checkpoint signed with the key covers" in ended.stdout
    return [printed.getvalue(), ended.stdout]


def test_record_is_covered_by_the_checkpoint_of_its_last_event(match: Match, key: str, tmp_path: Path) -> None:
    file = record(match, tmp_path)
    for report in (verified(file, key=key), alone(file, key, cwd=tmp_path).stdout):
        assert "t is in the checkpoint of" in report and "signed with the key" in report


def test_record_that_continued_after_its_checkpoint_is_covered_in_part(
    match: Match, grown: str, key: str, tmp_path: Path
) -> None:
    file = record(match, tmp_path)
    for report in uncovered(file, key, tmp_path):
        assert grown in report and "what came after them no checkpoint holds" in report
        assert "t is in the checkpoint" not in report


def test_record_without_a_checkpoint_is_reported_as_uncovered(key: str, tmp_path: Path) -> None:
    file = record(running_match("pyramid_poker"), tmp_path)
    assert alone(file, cwd=tmp_path).returncode == 0, "who brings no key asks for no checkpoint"
    uncovered(file, key, tmp_path)
    for told in (verified(file), alone(file, cwd=tmp_path).stdout):
        assert "o checkpoint holds it: nothing shows that the house never wrote it anew" in told


@pytest.mark.parametrize("rules", [False, True])
def test_unfinished_record_is_verified_without_an_outcome(match: Match, rules: bool, tmp_path: Path) -> None:
    report = verified(record(match, tmp_path), rules=rules)
    assert "It isn't over: there is no outcome yet, and acts can't be judged." in report
    assert "the outcome is the recorded one" not in report and "Decided again" not in report


def test_archive_reports_how_many_records_are_covered_in_full(
    match: Match, grown: str, key: str, tmp_path: Path
) -> None:
    whole = running_match("pentagram")
    signing.sign_if_due(after_seconds=0)
    play_on(match, 1)
    file = tmp_path / "two.zip"
    call_command("export_archive", str(file), match=[match.code, whole.code])
    for report in uncovered(file, key, tmp_path):
        assert "1 of them are in a checkpoint that is signed with the key" in report
        assert "f 1 more a signed checkpoint holds the beginning" in report
        assert "he stories were not checked" in report


def test_verifier_key_may_be_read_from_a_file(match: Match, key: str, tmp_path: Path) -> None:
    keyfile = tmp_path / "croupier-key"
    keyfile.write_text(f"{key}\n")
    assert "signed with the key" in verified(record(match, tmp_path), key=str(keyfile))


@pytest.mark.parametrize("wrong", ["", "house", "house+00000000+AAAA", "nowhere/croupier-key"])
def test_invalid_key_is_refused_before_the_record_is_checked(match: Match, wrong: str, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"That is no verifier key: (it is neither|the number is not)") as refused:
        verified(record(match, tmp_path), key=wrong)
    assert refused.value.returncode == 2
    with pytest.raises(ValueError):
        croupier_verify.key_named(wrong)
