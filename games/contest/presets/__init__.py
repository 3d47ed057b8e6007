"""Complete contests of the project's own design, one for each family of evaluations."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Final

from games.contest.content import Content
from games.contest.reading import read_content

PRESETS: Final = (
    "quiet_shore",
    "emptied_house",
    "salt_road",
    "lone_lantern",
    "village_well",
    "fading_echo",
    "harbour_watch",
    "morning_fair",
    "sealed_almanac",
    "rope_bridge",
    "council_of_seals",
    "last_line",
)

_FOLDER = Path(__file__).parent


@cache
def load(name: str) -> Content:
    """Return a preset; raise KeyError for a name that isn't one of PRESETS."""
    if name not in PRESETS:
        raise KeyError(name)
    return read_content(tomllib.loads((_FOLDER / f"{name}.toml").read_text(encoding="utf-8")))
