"""What a name looks like: the skeletons of Unicode's UTS 39, by the list of look-alikes that a package brings along."""

import unicodedata
from functools import cache

MAX_LENGTH = 320
_MARKS = dict.fromkeys((0x200E, 0x200F))
"""The list shows letters that are written from the right between marks of direction."""


def skeleton(name: str) -> str:
    """What two names have in common that look alike, however they are typed; at most `MAX_LENGTH` characters.

    UTS 39's skeleton of the name as it is shown. Capitals count as small letters, as they do in `name_key`.
    """
    shown = unicodedata.normalize("NFD", name)
    # A prototype of two letters is made of letters that have prototypes.
    plain = _plain(_plain(shown)).casefold()
    return unicodedata.normalize("NFD", plain)[:MAX_LENGTH]


def _plain(text: str) -> str:
    prototypes = _prototypes()
    return "".join(prototypes.get(letter, letter) for letter in text)


@cache
def _prototypes() -> dict[str, str]:
    """What each letter is taken for. The package lists pairs both ways: many look like one prototype, which is the one
    that many look like, or the longer one of a pair; of two single letters either does."""
    # Nearly a megabyte, which only a process that takes names need read.
    from confusable_homoglyphs.confusables import confusables_data

    alike = {
        glyph.translate(_MARKS): {other["c"].translate(_MARKS) for other in others}
        for glyph, others in confusables_data.items()
    }

    def rank(glyph: str) -> tuple[int, int, str]:
        return len(alike[glyph]), len(glyph), glyph

    found = {glyph: max((glyph, *others), key=rank) for glyph, others in alike.items()}
    return {glyph: prototype for glyph, prototype in found.items() if len(glyph) == 1 and glyph != prototype}
