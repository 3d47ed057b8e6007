"""What talk is told with in templates: links in plain text, the time of day, whose seat it is."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django import template
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

_ADDRESS = re.compile(r"https?://[^\s<>\"'`{}|\\^]+", re.IGNORECASE)
_AFTERWARDS = ".,;:!?)]»”’"


@register.filter
def linked(text: str) -> SafeString:
    """Plain text as HTML, its whole addresses as plain links: nothing is fetched or shown of what they lead to, and
    where they lead stands in them."""
    parts, done = [], 0
    for found in _ADDRESS.finditer(text):
        address = found[0].rstrip(_AFTERWARDS)
        parts.append(escape(text[done : found.start()]))
        link = '<a href="{}" rel="nofollow noopener noreferrer ugc" target="_blank">{}</a>'
        parts.append(format_html(link, address, address))
        done = found.start() + len(address)
    return mark_safe("".join([*parts, escape(text[done:])]))  # noqa: S308 (every part is escaped right here)


@register.simple_tag(takes_context=True)
def clock_time(context: dict[str, Any], at: datetime) -> SafeString:
    """The time of day in the reader's zone, which the page's script tells anew; its title tells the whole instant."""
    local = at.astimezone(ZoneInfo(getattr(context.get("user"), "time_zone", "UTC")))
    utc = at.astimezone(UTC)
    told = '<time class="clock-time" datetime="{}" title="{} UTC">{}</time>'
    return format_html(told, utc.isoformat(timespec="seconds"), f"{utc:%Y-%m-%d %H:%M:%S}", f"{local:%H:%M}")


@register.simple_tag
def seat_class(seats: Mapping[UUID, int], account: UUID) -> SafeString:
    """The class of the seat that an account holds; empty where it holds none."""
    return format_html(' class="s{}"', seats[account]) if account in seats else SafeString("")
