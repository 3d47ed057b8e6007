"""Every golden playthrough still plays as it is written, and no game goes without."""

from functools import cache
from pathlib import Path

import pytest

from tests.games.every import EVERY
from tests.playthrough import Script, render

HERE = Path(__file__).parent
GOLDENS = sorted(HERE.glob("*/*.golden"))


@cache
def scripts_of(slug: str) -> tuple[Script, ...]:
    """The scripts of a game's golden texts."""
    return tuple(Script.read(path.read_text(encoding="utf-8")) for path in sorted((HERE / slug).glob("*.golden")))


@pytest.mark.parametrize("golden", GOLDENS, ids=[f"{path.parent.name}-{path.stem}" for path in GOLDENS])
def test_the_playthrough_plays_as_written(golden: Path) -> None:
    text = golden.read_text(encoding="utf-8")
    assert render(Script.read(text)) == text


@pytest.mark.parametrize("slug", EVERY)
def test_a_game_has_a_playthrough_of_a_normal_match(slug: str) -> None:
    normal = [script for script in scripts_of(slug) if not script.has("flag") and not script.has("resign")]
    played = any('"reason": "played"' in render(script) for script in normal)
    assert played, f"tests/games/{slug} needs a .golden of a match that is played to its end."


@pytest.mark.parametrize("slug", EVERY)
def test_a_game_has_a_playthrough_with_a_flag_and_one_with_a_resignation(slug: str) -> None:
    for word in ("flag", "resign"):
        has = any(script.has(word) for script in scripts_of(slug))
        assert has, f"tests/games/{slug} needs a .golden whose script has a line with `{word}`."
