"""Imports of workers, commands and web processes: their start, or their readers, wait for them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cases import some_slow

ROOT = Path(__file__).resolve().parents[2]
COMMAND = "import sys, django; django.setup(); print(*sys.modules)"
WORKER = "import sys; from config.celery import app; app.loader.import_default_modules(); print(*sys.modules)"
WEB = """
import gc, sys, threading, config.server.serve as it
it.ready()
print(gc.isenabled(), gc.get_freeze_count(), *sys.modules, *(f"thread:{each.name}" for each in threading.enumerate()))
"""
PAGES = {"config.urls", "rest_framework.views", "matches.web.play.pages"}


def output_words(*command: str, **env: str) -> list[str]:
    """Return the words of a process's output."""
    done = subprocess.run(command, check=True, cwd=ROOT, capture_output=True, text=True, env=os.environ | env)
    return done.stdout.split()


@pytest.mark.parametrize("start", some_slow([COMMAND, WORKER], always=[WORKER]), ids=["command", "worker"])
def test_start_imports_no_drawing_library_and_no_pages(start: str) -> None:
    imported = set(output_words(sys.executable, "-c", start))
    assert "games.pyramid_poker.rules" in imported
    assert imported.isdisjoint({"svg", *PAGES})


def test_web_process_has_loaded_and_frozen_everything_before_its_first_request() -> None:
    seeks, frozen, *imported = output_words(sys.executable, "-c", WEB)
    assert {"svg", "games.reality_benders.board", *PAGES} <= set(imported)
    assert (seeks, int(frozen) > 100_000) == ("True", True)
    assert {"thread:outage", "thread:flags"} <= set(imported), "It says that people can come in, and watches flags."


@pytest.mark.slow
def test_djangos_own_checks_find_nothing_in_a_service_behind_tls() -> None:
    done = output_words(sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING", CROUPIER_HTTPS="1")
    assert "no issues" in " ".join(done)
