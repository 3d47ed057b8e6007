"""Portraits, drawn from a seed by a small grammar: the same seed gives the same picture, byte for byte, for ever.

A seed is `VERSION-KIND-DIGITS`, such as `1-person-9f86d081884c7d65`. A later grammar takes another version, so that the
faces people have stay theirs. It knows nothing of whom it stands for.
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
"""The seed of who is no more, or isn't there: paper, without a face."""

_DRAWN: Final[Mapping[str, Callable[[Chance], str]]] = {"person": person, "bot": bot, "guest": guest, "nobody": nobody}


def seed_of(kind: Kind, words: str) -> str:
    """A seed made of any words, which nobody reads out of it again."""
    return f"{VERSION}-{kind}-{sha256(words.encode()).hexdigest()[:16]}"


def draw(seed: str) -> str:
    """The portrait as an SVG document, 96 by 120, that stands alone; raises ValueError for what is no seed."""
    found = SEED.fullmatch(seed)
    if found is None:
        raise ValueError(f"{seed[:80]!r} is no seed of a portrait.")
    return _DRAWN[found[1]](Chance(seed))
