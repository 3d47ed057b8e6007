"""The house's programs choose by the state, the seat and the draws, and by nothing else."""

import json
import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from games import catalogue
from tests.games.programs import choices
from tests.table_setting import ROOT

PINNED = Path(__file__).with_name("programs.json")


@pytest.mark.parametrize("hash_seed", ["0", "1", "77"])
def test_another_process_chooses_the_same_moves_in_every_game(hash_seed: str) -> None:
    """Sets of text stand in another order in each process, and a bot must not go by that."""
    asked = [sys.executable, "-m", "tests.games.programs"]
    env = os.environ | {"PYTHONHASHSEED": hash_seed}
    told = subprocess.run(asked, cwd=ROOT, env=env, capture_output=True, text=True, check=True, timeout=60)
    assert json.loads(told.stdout) == {slug: choices(slug) for slug in catalogue}


@pytest.mark.parametrize("slug", catalogue)
def test_a_program_that_chooses_otherwise_has_another_version(slug: str) -> None:
    """Whoever changes what a bot or dealer chooses raises the game's `bot_version` and pins the new moves here: moves
    that were recorded under the old one are then told as not computed again, and not as wrong."""
    pinned = json.loads(PINNED.read_text(encoding="utf-8"))[slug]
    moves = sha256("\n".join(choices(slug)).encode()).hexdigest()
    assert [catalogue[slug].bot_version, moves] == pinned
