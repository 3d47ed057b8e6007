"""Template tags of talk: links in plain text, the time of day, the author's seat."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django import template
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

from games.drawing.themes import seat_colour

register = template.Library()

_ADDRESS = re.compile(r"https?://[^\s<>\"'`{}|\\^]+", re.IGNORECASE)
_AFTERWARDS = ".,;:!?)]»”’"


@register.filter
def linked(text: str) -> SafeString:
    """Return plain text as HTML with its URLs as plain links: nothing is loaded from them, and the link shows the whole
    URL."""
    parts, done = [], 0
    for match in _ADDRESS.finditer(text):
        address = match[0].rstrip(_AFTERWARDS)
        parts.append(escape(text[done : match.start()]))
        link = '<a href="{}" rel="nofollow noopener noreferrer ugc" target="_blank">{}</a>'
        parts.append(format_html(link, address, address))
        done = match.start() + len(address)
    return mark_safe("".join([*parts, escape(text[done:])]))  # noqa: S308 (every part is escaped right here)


@register.simple_tag(takes_context=True)
def clock_time(context: dict[str, Any], at: datetime) -> SafeString:
    """Return the time of day in the reader's zone, which the page's script updates; its title is the whole instant."""
    local = at.astimezone(ZoneInfo(getattr(context.get("user"), "time_zone", "UTC")))
    utc = at.astimezone(UTC)
    markup = '<time class="clock-time" datetime="{}" title="{} UTC">{}</time>'
    return format_html(markup, utc.isoformat(timespec="seconds"), f"{utc:%Y-%m-%d %H:%M:%S}", f"{local:%H:%M}")


@register.simple_tag
def seat_class(seats: Mapping[UUID, int], account: UUID) -> SafeString:
    """Return the CSS class of the seat that an account holds; empty if it holds none."""
    return format_html(' class="s{}"', seat_colour(seats[account])) if account in seats else SafeString("")
