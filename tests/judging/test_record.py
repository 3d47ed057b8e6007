"""The record of a judged match: commands and flags of the host are decided again, by both verifiers."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from uuid import UUID

import pytest
from django.core.management import call_command
from django.test import Client

from matches.audit import replay
from matches.audit.croupier_verify import Bad
from matches.services import timing
from tests.api.guests import Guest
from tests.judging.table import JudgedMatch
from tests.waiting import wait_until


def judged_by_command(host: Guest) -> JudgedMatch:
    match = JudgedMatch.begun(host).handed_in(0)
    assert host.send(match.id, {"type": "close"}).status == 201
    assert match.judge(winner=1).status == 201
    return match


def judged_by_flag(host: Guest) -> JudgedMatch:
    match = JudgedMatch.begun(host, options={"judging": 1}).handed_in()
    wait_until(lambda: timing.let_flag_fall(match_id=UUID(match.id)))
    return match


@pytest.mark.parametrize("end", [judged_by_command, judged_by_flag])
def test_record_with_acts_of_the_host_is_verified(
    end: Callable[[Guest], JudgedMatch], host: Guest, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = end(host)
    verifier, record = tmp_path / "croupier_verify.py", tmp_path / "match.ndjson"
    verifier.write_bytes(Client(SERVER_NAME="localhost").get("/croupier_verify.py").content)
    record.write_bytes(match.players[0].get(f"/matches/{match.id}/export").body)
    alone = subprocess.run([sys.executable, "-I", "-S", verifier, record], capture_output=True, text=True, check=False)
    assert alone.returncode == 0, alone.stdout + alone.stderr
    call_command("verify", str(record), "--rules")
    assert "Decided again by the rules" in capsys.readouterr().out


def changed(match: JudgedMatch, kind: str, **values: object) -> list[str]:
    """Return the record with other values in the lines of this type."""
    lines = match.players[0].get(f"/matches/{match.id}/export").lines
    return [json.dumps(it | values) if it.get("type") == kind else line for line in lines for it in [json.loads(line)]]


def test_record_in_which_a_player_or_a_stand_in_has_judged_is_refused(host: Guest) -> None:
    match = judged_by_command(host)
    for actor in (match.players[0].id, "bot"):
        with pytest.raises(Bad):
            replay.judged(changed(match, "judged", actor=actor))


def test_record_with_another_winner_than_chance_gave_is_refused(host: Guest) -> None:
    match = judged_by_flag(host)
    other = 1 - match.told()["outcome"]["winners"][0]
    with pytest.raises(Bad, match="don't give"):
        replay.judged(changed(match, "judged", public={"type": "judged", "winner": other}))


def test_record_with_a_flag_of_a_seat_in_place_of_the_hosts_is_refused(host: Guest) -> None:
    match = judged_by_flag(host)
    fallen = {"type": "flag_fallen", "seat": 0, "clock": "judging"}
    with pytest.raises(Bad, match="no flag of that seat"):
        replay.judged(changed(match, "host_flag_fallen", type="flag_fallen", public=fallen))
