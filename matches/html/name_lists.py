"""Lists of names as text. Translators choose the words between the names."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.drawing import headlines


def shortened(names: Sequence[str]) -> list[str]:
    """Return the names; of many, only the first and the number of the others."""
    return headlines.shortened(names, _others)


def joined_by_and(names: Sequence[str]) -> str:
    """Return `Ada, Ben and Cleo`."""
    *most, last = names or [""]
    return _("%(names)s and %(last)s") % {"names": ", ".join(most), "last": last} if most else last


def joined_in_short(names: Sequence[str]) -> str:
    """Return `Ada, Ben and Cleo`; of many, only the first and the number of the others."""
    return joined_by_and(shortened(names))


def joined_by_or(names: Sequence[str]) -> str:
    """Return `Ada, Ben or Cleo`."""
    *most, last = names or [""]
    return _("%(names)s or %(last)s") % {"names": ", ".join(most), "last": last} if most else last


def _others(number: int) -> str:
    return ngettext("%(number)s other", "%(number)s others", number) % {"number": number}


def opposed(names: Sequence[str], kind: str) -> str:
    """Return who plays a match of the season: one against the other, or all at a table of the `main` match."""
    if kind == "main" or not names:
        return ", ".join(names)
    first, *others = names
    for other in others:
        first = _("%(name)s against %(other)s") % {"name": first, "other": other}
    return first
