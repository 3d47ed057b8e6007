"""The operator's commands: manage.py verify, export, add_account, rebuild, seed_demo."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth import authenticate
from django.core.management import CommandError, call_command

from events import access, projections
from events.archived import ArchiveUnavailable
from games import catalogue
from matches.audit import export as audit
from matches.management.commands import seed_demo
from matches.models import Account, Match
from matches.reads import selectors
from tests.table_setting import BOT, ROOT, new_account, play_on, play_to_the_end, running_match
from tests.waiting import PATIENCE


def run(name: str, *arguments: Any, **options: Any) -> str:
    """Return the command's output."""
    printed = StringIO()
    call_command(name, *map(str, arguments), stdout=printed, stderr=StringIO(), **options)
    return printed.getvalue()


def manage(*arguments: object) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    command = [sys.executable, "manage.py", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)


@pytest.fixture(scope="module")
def match() -> Match:
    """A finished match of a person and a bot."""
    played = running_match("pyramid_poker", new_account(), BOT)
    play_to_the_end(played)
    return played


def test_export_finds_a_match_by_id_and_by_code(match: Match, tmp_path: Path) -> None:
    files = {name: tmp_path / f"{name}.ndjson" for name in ("id", "code", "lower")}
    for identifier, file in zip((match.id, match.code, match.code.lower()), files.values(), strict=True):
        run("export", identifier, output=file)
    assert len({file.read_bytes() for file in files.values()}) == 1
    output = run("verify", files["id"])
    assert f"{match.id} (pyramid_poker) holds: {match.version} events" in output
    assert "The seed is the one promised." in output and "the outcome is the recorded one" in output


def test_export_without_a_file_is_written_to_standard_output(match: Match, tmp_path: Path) -> None:
    run("export", match.id, output=tmp_path / "file")
    with TextIOWrapper(BytesIO()) as printed, redirect_stdout(printed):
        call_command("export", str(match.id))
        printed.flush()
        assert printed.buffer.getvalue() == (tmp_path / "file").read_bytes()


def test_export_that_cannot_be_written_is_refused_and_not_recorded(match: Match, tmp_path: Path) -> None:
    before = len(access.of(match.id))
    with pytest.raises(CommandError, match="Can't write"):
        run("export", match.code, output=tmp_path / "nowhere" / "file")
    assert len(access.of(match.id)) == before


def entries(match: Match) -> list[tuple[str, str]]:
    return [(it.actor, it.kind) for it in access.of(match.id)]


@pytest.mark.parametrize("lines", [0, 2], ids=["nothing was read", "secrets were read"])
def test_failed_export_keeps_the_existing_file_and_is_recorded_once_lines_were_read(
    lines: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, file = running_match("pentagram"), tmp_path / "file"
    run("export", match.id, output=file)
    before = file.read_bytes()
    other = running_match("pentagram")

    def interrupted(*_: object, **__: object) -> Iterator[bytes]:
        yield from [b"{}\n"] * lines
        raise ArchiveUnavailable("The archive is away.")

    monkeypatch.setattr(audit, "export", interrupted)
    with pytest.raises(CommandError, match=r"The archive is away\."):
        run("export", other.id, output=file)
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]
    assert entries(other) == ([("operator", "exported")] if lines else [])


def test_export_replaces_a_file_behind_a_link_and_keeps_its_mode(match: Match, tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_text("earlier")
    file.chmod(0o600)
    link.symlink_to(file)
    run("export", match.id, output=link)
    assert link.is_symlink() and file.read_bytes().startswith(b"{")
    assert file.stat().st_mode & 0o777 == 0o600


def test_export_into_a_pipe_leaves_the_pipe(match: Match, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        run("export", running_match("pentagram").id, output=pipe)
        assert os.read(reader, 1) == b"{" and pipe.is_fifo()
    finally:
        os.close(reader)


def test_export_by_the_operator_is_recorded_in_the_audit(match: Match, tmp_path: Path) -> None:
    run("export", match.code, output=tmp_path / "file")
    assert ("operator", "exported") in entries(match)


def test_rebuild_overtaken_by_another_says_so_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def overtaken(*_: object) -> int:
        raise projections.Superseded("Another rebuild of results has begun.")

    monkeypatch.setattr(projections, "rebuild", overtaken)
    with pytest.raises(CommandError, match=r"Another rebuild of results has begun\."):
        run("rebuild", "results")


@pytest.mark.parametrize("name", [uuid4(), "NOSUCH", ""])
def test_export_of_an_unknown_match_is_refused_in_a_sentence(name: object) -> None:
    with pytest.raises(CommandError, match="There is no match"):
        run("export", name)


def test_running_match_is_exported_sealed_and_verified(tmp_path: Path) -> None:
    running = running_match("pentagram")
    play_on(running, 3)
    run("export", running.id, output=tmp_path / "file")
    output = run("verify", tmp_path / "file")
    assert f"{running.version} events, 0 secrets open." in output and "The seed is still sealed." in output


def test_exit_status_of_verify_is_the_result(match: Match, tmp_path: Path) -> None:
    good, bad = tmp_path / "good", tmp_path / "bad"
    run("export", match.id, output=good)
    lines = good.read_text().splitlines()
    lines[7] = re.sub('"actor":"[^"]*"', '"actor":"mallory"', lines[7])
    bad.write_text("\n".join(lines) + "\n")
    changed = manage("verify", bad)
    assert changed.returncode == 4
    assert changed.stderr.startswith("CommandError: CHANGED at version 7: the hash does not match the event's facts.")
    with pytest.raises(CommandError, match="Can't read") as missing:
        run("verify", tmp_path / "nowhere")
    assert missing.value.returncode == 2


def test_add_account_gives_the_requested_rights() -> None:
    player, organiser = f"p{uuid4().hex[:12]}", f"o{uuid4().hex[:12]}"
    assert run("add_account", player, password="a long pass phrase").startswith(f"{player} ")
    run("add_account", organiser, password="a long pass phrase", organiser=True)
    assert authenticate(username=player, password="a long pass phrase").username == player
    rights = Account.objects.filter(username__in=(player, organiser)).values_list("is_organiser", "is_staff")
    assert dict(zip((organiser, player), rights.order_by("username"), strict=True)) == {
        organiser: (True, True),
        player: (False, False),
    }


@pytest.mark.parametrize("name", ["", "bot", "two  spaces", "tab\there", "x" * 41, "<script>"])
def test_add_account_refuses_an_invalid_name(name: str) -> None:
    before = Account.objects.count()
    with pytest.raises(CommandError):
        run("add_account", name, password="a long pass phrase")
    assert Account.objects.count() == before


@pytest.mark.parametrize("password", ["", "short", "password1"])
def test_add_account_refuses_the_passwords_that_sign_up_refuses(password: str) -> None:
    with pytest.raises(CommandError, match="password"):
        run("add_account", name := f"p{uuid4().hex[:12]}", password=password)
    assert not Account.objects.filter(username=name).exists()


def test_add_account_asks_for_an_omitted_password(monkeypatch: pytest.MonkeyPatch) -> None:
    prompts: list[str] = []
    monkeypatch.setattr("getpass.getpass", lambda prompt: prompts.append(prompt) or "a long pass phrase")
    run("add_account", name := f"p{uuid4().hex[:12]}")
    assert prompts == [f"Password for {name}: "]
    assert authenticate(username=name, password="a long pass phrase")


def test_commands_without_a_terminal_erase_and_add_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    name, newcomer = new_account().username, f"p{uuid4().hex[:12]}"

    def nobody(_: str) -> str:
        raise EOFError

    monkeypatch.setattr("getpass.getpass", nobody)
    monkeypatch.setattr("sys.stdin", StringIO())
    for arguments, message in ((("erase_account", name), "Nothing was erased."),
                            (("add_account", newcomer), "No password was given; no account was added.")):  # fmt: skip
        with pytest.raises(CommandError, match=message):
            run(*arguments)
    assert Account.objects.filter(username=name).exists()
    assert not Account.objects.filter(username=newcomer).exists()


def test_add_account_refuses_a_taken_name_in_any_spelling() -> None:
    taken = new_account().username
    with pytest.raises(CommandError, match="is taken"):
        run("add_account", taken.upper(), password="a long pass phrase")


def test_rebuild_gives_the_same_results_in_a_new_generation(match: Match) -> None:
    (person,) = match.seats.exclude(account=None).values_list("account_id", flat=True)
    projections.project("results", match.id)
    before = results(person)
    assert len(before) == 1
    current = projections.generation("results")
    assert run("rebuild", "results").strip() == f"results: generation {current + 1} is current."
    assert projections.generation("results") == current + 1
    assert results(person) == before


def results(account: UUID) -> list[tuple[Any, ...]]:
    """Return the results in the account's record."""
    rows = selectors.record_of(account, Account.objects.get(id=account))
    return [(row.match_id, row.seat, row.game, row.won, row.reason, row.finished_at) for row in rows]


def test_rebuild_refuses_an_unknown_projection() -> None:
    with pytest.raises(CommandError, match="invalid choice"):
        run("rebuild", "nothing")


def test_demo_is_made_once_and_its_accounts_can_sign_in() -> None:
    first = run("seed_demo")
    organiser = Account.objects.get(name_key="organiser")
    opened = Match.objects.filter(opened_by=organiser).count()
    assert opened >= len(catalogue)
    assert run("seed_demo") == first
    assert Match.objects.filter(opened_by=organiser).count() == opened
    passwords = {line.split()[0]: line.split()[1] for line in first.splitlines() if line.startswith("  ")}
    assert passwords.keys() == seed_demo.DEMO.keys()
    for name, password in passwords.items():
        assert authenticate(username=name, password=password).username == name
