"""Each dialog of a season has a place in the room from which it is opened."""

from pathlib import Path

import pytest

from matches.panel.seasons.acts import ACTS

ROOT = Path(__file__).parents[2] / "matches"
PLACES = [
    *(ROOT / "panel/templates/panel").glob("season*.html"),
    ROOT / "panel/seasons/views.py",
    ROOT / "panel/seasons/steps.py",
    ROOT / "seasons/domain/steps.py",
]
CORRECTION = "correct-"
"""All acts whose names begin with this have a section."""


@pytest.mark.parametrize("name", ACTS)
def test_dialog_has_a_button(name: str) -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in PLACES)
    is_placed = f'"{name}"' in sources or f"acts.{name} " in sources or name.startswith(CORRECTION)
    assert is_placed, f"Place a button for `{name}` in a template of the season's room, or in a section of its view."
