"""Template tags of all pages: instants in the reader's zone, spans, the current place in the navigation."""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from django import template
from django.conf import settings
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext

from games.drawing import themes
from games.drawing.themes import SEAT_LETTERS
from matches.accounts import access_log
from matches.accounts.access_log import ReadableEntry
from matches.domain.bidi import apart
from matches.html.moments import local_time
from matches.html.name_lists import joined_in_short
from matches.http.page_owner import owner_tag
from matches.web.status_words import status_word
from matches.web.stylesheet import DIGEST

register = template.Library()

_MOST_SHOWN = 6


@register.simple_tag
def colours() -> str:
    """Return the URL of the colours."""
    return reverse("web:colours", args=[DIGEST])


@register.simple_tag
def form_key() -> str:
    """Return a key for one click of a form's button: sent twice it counts once."""
    return uuid4().hex


@register.simple_tag(takes_context=True)
def page_owner(context: dict[str, Any]) -> str:
    """Return the tag of the account that the page is for."""
    return owner_tag(context["request"].user.pk)


@register.simple_tag
def guests_welcome() -> bool:
    """True if visitors without an account may play as guests."""
    return settings.GUESTS


@register.simple_tag(takes_context=True)
def whole(context: dict[str, Any], name: str, *args: Any) -> str:
    """Return a complete URL, for readers elsewhere."""
    path: str = reverse(name, args=args)
    return f"{settings.PUBLIC_URL}{path}" if settings.PUBLIC_URL else context["request"].build_absolute_uri(path)


register.filter(apart)
register.filter(status_word)
register.filter(joined_in_short)


@register.filter
def in_bdi(names: Iterable[str]) -> SafeString:
    """Return names with commas between them, each with a text direction of its own."""
    return format_html_join(", ", "<bdi>{}</bdi>", ((name,) for name in names))


@register.filter
def thousands(count: int) -> str:
    """Return a number with separators: 123 456."""
    return f"{count:,}".replace(",", "\u202f")


@register.filter
def role(name: str) -> str:
    """Return a seat's role for reading: EC and DMO are abbreviations."""
    return name.upper() if name in ("ec", "dmo") else name


@register.simple_tag(takes_context=True)
def unseen_changes(context: dict[str, Any]) -> list[ReadableEntry]:
    """Return what others have changed in the reader's account and the reader hasn't seen."""
    reader = context.get("user")
    return access_log.unseen(reader.id) if reader is not None and reader.is_authenticated else []


@register.simple_tag(takes_context=True)
def here(context: dict[str, Any], address: str) -> SafeString:
    """Return the mark for a link to the reader's current part of the site."""
    request = context.get("request")
    at = request is not None and (request.path == address or request.path.startswith(f"{address}/"))
    return format_html(' aria-current="{}"', "page") if at else SafeString("")


@register.simple_tag(takes_context=True)
def moment(context: dict[str, Any], at: datetime | None) -> SafeString:
    """Return an instant in the reader's zone; its title is the same in UTC."""
    if at is None:
        return SafeString("")
    zone, utc = getattr(context.get("user"), "time_zone", "UTC"), at.astimezone(UTC)
    return format_html(
        '<time datetime="{}" title="{} UTC">{}</time>',
        utc.isoformat(),
        f"{utc:%Y-%m-%d %H:%M:%S}",
        local_time(at, zone),
    )


@register.simple_tag(takes_context=True)
def instant(context: dict[str, Any], at: str) -> SafeString:
    """Return a document's instant in the reader's zone."""
    return moment(context, datetime.fromisoformat(at))


@register.filter
def utc(milliseconds: int) -> SafeString:
    """Return an instant in UTC, as frames show it to all readers; a script shows it in the reader's zone."""
    moment = datetime.fromtimestamp(milliseconds / 1000, UTC)
    words = f"{moment.day} {moment:%b %Y, %H:%M} UTC"
    return format_html('<time datetime="{}" data-local>{}</time>', moment.isoformat(timespec="minutes"), words)


@register.simple_tag
def portrait(address: str, size: int, name: str = "") -> SafeString:
    """Return a portrait in its arch, `size` pixels wide: 24, 36, 48, 72 or 120. Beside a name it is an ornament;
    otherwise give the `name`."""
    return format_html(
        '<img class="portrait p{}" src="{}" width="{}" height="{}" alt="{}">', size, address, size, size * 5 // 4, name
    )


@register.simple_tag
def garnets(count: int) -> SafeString:
    """Return so many garnets as pictures, or one of them and the number if they are many."""
    words = ngettext("%(garnets)s garnet", "%(garnets)s garnets", count) % {"garnets": thousands(count)}
    shown = count if count <= _MOST_SHOWN else 1
    one = format_html('<img class="garnet" src="{}" width="13" height="15" alt="">', static("web/garnet.svg"))
    number = "" if count == shown and count else thousands(count)
    return format_html(
        '<span class="garnets"><span class="unseen">{}</span><span aria-hidden="true">{}{}</span></span>',
        words,
        SafeString(one * shown),
        number,
    )


@register.simple_tag(takes_context=True)
def board_picture(context: dict[str, Any], address: str, late: bool | int = False) -> SafeString:
    """Return a picture of a board in the reader's theme; the text beside it describes it."""
    theme = getattr(context.get("user"), "theme", "system")
    separator = "&" if "?" in address else "?"
    light, dark = (f"{address}{separator}theme={name}" for name in ("light", "dark"))
    how = format_html('alt=""{}', format_html(' loading="{}"', "lazy") if late else "")
    if theme == "system":
        source = format_html('<source srcset="{}" media="(prefers-color-scheme: dark)">', dark)
        return format_html('<picture>{}<img src="{}" {}></picture>', source, light, how)
    return format_html('<picture><img src="{}" {}></picture>', dark if theme == "dark" else light, how)


@register.filter
def span(seconds: int) -> str:
    """Return seconds in the largest unit without a remainder: `5 minutes` for 300."""
    if not seconds:
        return gettext("none")
    if seconds % 86400 == 0:
        return _counted(seconds // 86400, ngettext("%(count)s day", "%(count)s days", seconds // 86400))
    if seconds % 3600 == 0:
        return _counted(seconds // 3600, ngettext("%(count)s hour", "%(count)s hours", seconds // 3600))
    if seconds % 60 == 0:
        return _counted(seconds // 60, ngettext("%(count)s minute", "%(count)s minutes", seconds // 60))
    return _counted(seconds, ngettext("%(count)s second", "%(count)s seconds", seconds))


def _counted(count: int, words: str) -> str:
    return words % {"count": count}


@register.simple_tag
def csrf_cookie() -> str:
    """Return the name of the CSRF cookie."""
    return str(settings.CSRF_COOKIE_NAME)


@register.filter
def at(items: Sequence[Any], place: int) -> Any:
    """Return the item at a place; None if there is none."""
    return items[place] if place < len(items) else None


@register.filter
def clock(seconds: int) -> str:
    """Return seconds as a stopped clock shows them."""
    days, rest = divmod(seconds, 86400)
    hours, rest = divmod(rest, 3600)
    minutes, left = divmod(rest, 60)
    if days:
        return f"{days} d {hours} h"
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"


@register.filter
def seat_letter(seat: int) -> str:
    """Return a seat's letter, as on boards."""
    return SEAT_LETTERS[seat]


@register.filter
def seat_colour(seat: int | None) -> str:
    """Return the class of a seat's colour; empty without a seat."""
    return "" if seat is None else f"s{themes.seat_colour(seat)}"


@register.filter
def ticked(text: str) -> SafeString:
    """Return plain text as HTML; text between backticks is code."""
    return mark_safe(re.sub("`([^`]+)`", r"<code>\1</code>", escape(text)))  # noqa: S308 (escaped right here)
