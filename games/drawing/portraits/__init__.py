"""Portraits, drawn from a seed by a small grammar. A seed must always give the same picture, byte for byte.

A seed is `VERSION-KIND-DIGITS`, such as `1-person-9f86d081884c7d65`. A changed grammar needs another version, so that
existing portraits stay the same. A seed reveals nothing about the person.
"""

import re
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Final, Literal, get_args

from games.drawing.portraits.bots import bot
from games.drawing.portraits.chance import Chance
from games.drawing.portraits.guests import guest, nobody
from games.drawing.portraits.people import person

Kind = Literal["person", "bot", "guest", "nobody"]
VERSION: Final = 1
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
SEED: Final = re.compile(rf"{VERSION}-({'|'.join(KINDS)})-[0-9a-f]{{16}}")
NOBODY: Final = f"{VERSION}-nobody-{'0' * 16}"
"""The seed of a deleted or missing account: a paper cut-out without a face."""

_DRAWN: Final[Mapping[str, Callable[[Chance], str]]] = {"person": person, "bot": bot, "guest": guest, "nobody": nobody}


def seed_of(kind: Kind, words: str) -> str:
    """Return a seed derived from a text by hashing."""
    return f"{VERSION}-{kind}-{sha256(words.encode()).hexdigest()[:16]}"


def draw(seed: str) -> str:
    """Return the portrait as an SVG document, 96 by 120; raise ValueError if the seed is invalid."""
    match = SEED.fullmatch(seed)
    if match is None:
        raise ValueError(f"{seed[:80]!r} is no seed of a portrait.")
    return _DRAWN[match[1]](Chance(seed))
