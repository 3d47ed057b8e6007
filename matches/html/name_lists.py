"""Names in a row, as people read them. The words between them are the translator's."""

from collections.abc import Sequence

from django.utils.translation import gettext as _


def told_together(names: Sequence[str]) -> str:
    """All of them: `Ada, Ben and Cleo`."""
    *most, last = names or [""]
    return _("%(names)s and %(last)s") % {"names": ", ".join(most), "last": last} if most else last


def told_apart(names: Sequence[str]) -> str:
    """One of them: `Ada, Ben or Cleo`."""
    *most, last = names or [""]
    return _("%(names)s or %(last)s") % {"names": ", ".join(most), "last": last} if most else last


def opposed(names: Sequence[str], kind: str) -> str:
    """Who plays a match of the season: one against the other, or all at a table of the `main` match."""
    if kind == "main" or not names:
        return ", ".join(names)
    first, *others = names
    for other in others:
        first = _("%(name)s against %(other)s") % {"name": first, "other": other}
    return first
