"""Skeletons of names by Unicode's UTS 39, for names that look alike; the list of look-alikes is a package's."""

import unicodedata
from functools import cache

MAX_LENGTH = 320
_MARKS = dict.fromkeys((0x200E, 0x200F))
"""Direction marks that the list puts around right-to-left letters."""


def skeleton(name: str) -> str:
    """Return what names that look alike have in common, in at most `MAX_LENGTH` characters.

    It is UTS 39's skeleton of the name as shown, in lower case as in `name_key`.
    """
    shown = unicodedata.normalize("NFD", name)
    # Twice, because a prototype of two letters contains letters that have prototypes themselves.
    plain = _plain(_plain(shown)).casefold()
    return unicodedata.normalize("NFD", plain)[:MAX_LENGTH]


def _plain(text: str) -> str:
    prototypes = _prototypes()
    return "".join(prototypes.get(letter, letter) for letter in text)


@cache
def _prototypes() -> dict[str, str]:
    """Return the prototype of each letter. The package lists pairs in both directions: of letters that look alike, the
    prototype is the one with the most look-alikes, then the longer one, then the greater one."""
    # Imported here because it is nearly a megabyte, and only processes that check names need it.
    from confusable_homoglyphs.confusables import confusables_data

    alike = {
        glyph.translate(_MARKS): {other["c"].translate(_MARKS) for other in others}
        for glyph, others in confusables_data.items()
    }

    def rank(glyph: str) -> tuple[int, int, str]:
        return len(alike[glyph]), len(glyph), glyph

    prototypes = {glyph: max((glyph, *others), key=rank) for glyph, others in alike.items()}
    return {glyph: prototype for glyph, prototype in prototypes.items() if len(glyph) == 1 and glyph != prototype}
