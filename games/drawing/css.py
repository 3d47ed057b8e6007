"""The colours of a theme as CSS variables."""

from dataclasses import fields
from typing import Final

from games.drawing.themes import Theme

NAMES: Final = tuple(field.name for field in fields(Theme))
"""The names of all colours."""


def variable(name: str) -> str:
    """Return the CSS variable of a colour: `seat_a_soft` -> `--seat-a-soft`."""
    return f"--{name.replace('_', '-')}"


WEB: Final = Theme(**{name: f"var({variable(name)})" for name in NAMES})
"""Each colour as its CSS variable, for a picture inside a page that defines the properties of `css()`."""


def css(theme: Theme, besides: Theme | None = None) -> str:
    """Return the custom properties of a theme, one per line, as the body of a CSS rule.

    With `besides`, return only those that differ from that theme.
    """
    names = [name for name in NAMES if besides is None or getattr(theme, name) != getattr(besides, name)]
    return "\n".join(f"  {variable(name)}: {getattr(theme, name)};" for name in names)
