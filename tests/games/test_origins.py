"""The origin that a game declares is the one that the documentation names."""

import re
from pathlib import Path

from games import catalogue

ORIGINS = Path(__file__).parents[2] / "docs" / "origins.md"


def test_the_documentation_names_the_origin_that_each_game_declares() -> None:
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", ORIGINS.read_text(encoding="utf-8"), re.MULTILINE)
    declared = {
        (game.title, game.origin.designers, game.origin.featured_in) for game in catalogue.values() if game.origin
    }
    assert set(rows) - {("game", "designed by", "featured in")} == declared
