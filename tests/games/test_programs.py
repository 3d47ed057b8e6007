"""The house's programs choose by the state, the seat and the draws, and by nothing else."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cases import some_slow
from tests.games.every import EVERY
from tests.games.programs import choices, pin_of, pinned_in

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("hash_seed", some_slow(["0", "1", "77"], always=("1",)))
@pytest.mark.slow
def test_another_process_chooses_the_same_moves_in_every_game(hash_seed: str) -> None:
    """Sets of text stand in another order in each process, and a bot must not go by that."""
    command = [sys.executable, "-m", "tests.games.programs"]
    env = os.environ | {"PYTHONHASHSEED": hash_seed}
    process = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=True, timeout=60)
    assert json.loads(process.stdout) == {slug: choices(slug) for slug in EVERY}


@pytest.mark.parametrize("slug", EVERY)
def test_a_program_that_chooses_otherwise_has_another_version(slug: str) -> None:
    """Whoever changes what a bot or dealer chooses raises the game's `bot_version` and pins the new moves by
    `python -m tests.games.programs --pin SLUG`: moves that were recorded under the old one are then told as not
    computed again, and not as wrong."""
    assert pin_of(slug) == json.loads(pinned_in(slug).read_text(encoding="utf-8"))
