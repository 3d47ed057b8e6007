"""Without a Chromium nothing is skipped in silence."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.web.chromium import chromium

ROOT = Path(__file__).resolve().parents[2]


def test_browser_script_prints_nothing_if_chromium_is_installed() -> None:
    done = subprocess.run([ROOT / "bin/browser"], capture_output=True, text=True)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_browser_script_prints_the_install_command_without_chromium(tmp_path: Path) -> None:
    (tmp_path / "id").write_text("#!/bin/sh\necho 1000\n")
    (tmp_path / "id").chmod(0o755)
    command = ["/bin/sh", ROOT / "bin/browser"]
    done = subprocess.run(command, env={"PATH": str(tmp_path)}, capture_output=True, text=True)
    assert done.returncode == 1
    assert "sudo apt-get install chromium" in done.stderr


def test_browser_test_without_chromium_fails_with_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(os.environ, "PATH", str(tmp_path))
    with pytest.raises(pytest.fail.Exception, match="apt-get install chromium"):
        chromium()
