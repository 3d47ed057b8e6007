"""Drawings of a season's garnets and tokens of life. They are ornaments; the words beside them count."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from games.drawing.treasures import COIN, GARNET, GARNET_GONE

register = template.Library()

_SYMBOLS = {"garnet": ("0 0 26 30", GARNET), "garnet-gone": ("0 0 26 30", GARNET_GONE), "token": ("0 0 32 32", COIN)}


@register.simple_tag
def things_drawn() -> SafeString:
    """Return the drawings, once for each page, before the first use."""
    symbols = (f'<symbol id="thing-{name}" viewBox="{box}">{drawn}</symbol>' for name, (box, drawn) in _SYMBOLS.items())
    return mark_safe(  # noqa: S308 (our own drawings)
        f'<svg class="unseen" width="0" height="0" aria-hidden="true"><defs>{"".join(symbols)}</defs></svg>'
    )


@register.simple_tag
def thing(name: str, high: int, count: int = 1) -> SafeString:
    """Return so many of a thing, each `high` pixels high: `garnet`, `garnet-gone` or `token`."""
    wide = high if name == "token" else round(high * 26 / 30)
    drawn = format_html(
        '<svg class="thing" width="{}" height="{}" aria-hidden="true"><use href="#thing-{}"/></svg>', wide, high, name
    )
    return mark_safe(drawn * max(0, count))  # noqa: S308 (built right here)
