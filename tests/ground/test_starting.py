"""What every process imports, be it a worker, a beat or a command: its start waits for that."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
START = "import sys, django; django.setup(); print(*sys.modules)"


def test_a_start_waits_for_no_drawing_kit_no_page_and_no_door() -> None:
    done = subprocess.run([sys.executable, "-c", START], check=True, cwd=ROOT, capture_output=True, text=True)
    imported = set(done.stdout.split())
    assert "games.pyramid_poker.rules" in imported
    assert imported.isdisjoint({"svg", "config.urls", "rest_framework.views", "matches.web.play.pages"})
