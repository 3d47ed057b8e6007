"""Each dialog of a season has a place in the room from which it is opened."""

from pathlib import Path
from typing import get_args

import pytest

from matches.panel.seasons.acts import ACTS
from matches.seasons.domain.declared import Section

ROOT = Path(__file__).parents[2] / "matches"
STEPS = [ROOT / "panel/seasons/steps.py", ROOT / "seasons/domain/steps.py"]


def sources(*paths: Path) -> str:
    return "".join(path.read_text(encoding="utf-8") for path in paths)


@pytest.mark.parametrize("name", [it.name for it in ACTS.values() if it.section is None])
def test_dialog_without_a_section_is_opened_from_a_step(name: str) -> None:
    remedy = f"Give the act `{name}` a `section`, {', '.join(get_args(Section))}, or name it in a step of steps.py."
    assert f'"{name}"' in sources(*STEPS), remedy


@pytest.mark.parametrize("section", get_args(Section))
def test_section_has_its_buttons_in_a_template(section: str) -> None:
    templates = sources(*(ROOT / "panel/templates/panel").glob("season*.html"))
    assert f"for act in sections.{section} " in templates
