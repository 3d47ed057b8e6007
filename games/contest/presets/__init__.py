"""Complete contests of the project's own design, one for each family of evaluations."""

import re
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
_SENTENCE_END = re.compile(r"(?<=[.!?])\s|\n\n")


@cache
def load(name: str) -> Content:
    """Return a preset; raise KeyError for a name that isn't one of PRESETS."""
    return read_content(tomllib.loads(text_of(name)))


def text_of(name: str) -> str:
    """Return a preset's TOML file; raise KeyError for a name that isn't one of PRESETS."""
    if name not in PRESETS:
        raise KeyError(name)
    return (_FOLDER / f"{name}.toml").read_text(encoding="utf-8")


def summary(content: Content) -> str:
    """Return the first sentence of a content's rules."""
    return " ".join(_SENTENCE_END.split(content.rules.strip(), maxsplit=1)[0].split())
