"""Every game from the opening to the end over REST: nothing hidden is heard before, and the record is proved after."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core.management import call_command

from games import catalogue
from games.kernel import HOST, SPECTATOR, to_json
from matches.audit import croupier_verify
from tests.api.canaries import WITNESSES, Truth, members, received, seed_spellings
from tests.api.guests import Guest, advance, guest, started

MOVES_BETWEEN_LOOKS = 53


@dataclass
class Played:
    """A match that two programs played, and what became of the canaries meanwhile."""

    slug: str
    match: str
    watcher: Guest
    truth: Truth
    sought: int
    revealed: list[bytes]

    @property
    def told(self) -> Any:
        """The match as it stands."""
        return self.watcher.get(f"/matches/{self.match}").json

    @property
    def export(self) -> bytes:
        """Its record."""
        return self.watcher.get(f"/matches/{self.match}/export").body


@pytest.fixture(scope="module", params=catalogue)
def played(request: pytest.FixtureRequest) -> Played:
    """A whole match; every few moves all readers read all they can."""
    players, watcher, rng = [guest(), guest()], guest(), Random(7)
    match = started(request.param, *players, priority=1)
    play = Played(request.param, match, watcher, Truth(match, request.param, priority=1), 0, [])
    while play.told["outcome"] is None:
        after = len(play.truth.rows)
        play.truth.catch_up()
        for reader, witness in zip((*players, watcher), WITNESSES, strict=True):
            canaries = play.truth.canaries(witness) | set(seed_spellings(match))
            received_text = received(reader, match, after)
            play.revealed += [it for it in canaries if it in received_text]
            play.sought += len(canaries)
        advance(match, players, MOVES_BETWEEN_LOOKS, rng)
    play.truth.catch_up()
    return play


def test_two_programs_play_to_the_end(played: Played) -> None:
    assert (played.told["status"], played.told["due"]["prompts"]) == ("finished", [])
    assert played.told["outcome"] == to_json(played.truth.table.outcome)
    assert played.told["outcome"]["reason"] == "played"


def test_no_response_contains_a_hidden_secret(played: Played) -> None:
    assert played.revealed == []
    assert played.sought >= 10


def test_export_of_a_finished_match_contains_every_secret(played: Played) -> None:
    secrets = [it for row in played.truth.rows if row.secret for it in (row.salt.hex().encode(), *members(row.secret))]
    export = played.export
    assert all(it in export for it in (seed_spellings(played.match)[1], *secrets))


def test_export_is_verified_alone_and_by_the_rules(
    played: Played, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "match.ndjson"
    file.write_bytes(played.export)
    alone = subprocess.run(
        [sys.executable, "-I", "-S", croupier_verify.__file__, file], capture_output=True, text=True, check=False
    )
    assert alone.returncode == 0, alone.stdout + alone.stderr
    assert "the seed is the one promised" in alone.stdout
    call_command("verify", str(file))
    assert "Replayed by the rules: the outcome is the recorded one." in capsys.readouterr().out


def test_export_reproduces_every_served_view(played: Played) -> None:
    lines = played.export.splitlines()[1:]
    events = [record for line in lines if "type" in (record := json.loads(line))]
    assert [event["version"] for event in events] == [row.version for row in played.truth.rows]
    for witness, name in ((HOST, "host"), (SPECTATOR, "spectator"), (0, "seat:0"), (1, "seat:1")):
        view = played.watcher.get(f"/matches/{played.match}/view", {"as": name}).json["view"]
        assert view == to_json(played.truth.table.witness(witness))
