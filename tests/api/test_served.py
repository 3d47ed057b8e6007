"""The whole of these tests once more, with commands, views and events asked of a web process."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import FOUND


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_every_api_test_passes_on_the_fast_path() -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--served", str(Path(__file__).parent)]
    finished = subprocess.run(command, env=FOUND, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stdout[-20_000:]
