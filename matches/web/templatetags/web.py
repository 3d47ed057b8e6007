"""What templates say in the pages' own way: instants in the reader's zone, spans, the place one is at."""

import re
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from django import template
from django.conf import settings
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext

from games.drawing.themes import SEAT_LETTERS
from matches.accounts import access_log
from matches.accounts.access_log import ReadableEntry
from matches.domain.bidi import apart
from matches.html.moments import local_time
from matches.http.page_owner import owner_tag
from matches.web.status_words import status_word
from matches.web.stylesheet import DIGEST

register = template.Library()

_MOST_SHOWN = 6


@register.simple_tag
def colours() -> str:
    """The address of the colours."""
    return reverse("web:colours", args=[DIGEST])


@register.simple_tag
def form_key() -> str:
    """What names one press of a form's button: sent twice it counts once."""
    return uuid4().hex


@register.simple_tag(takes_context=True)
def page_owner(context: dict[str, Any]) -> str:
    """Return the tag of the account that the page is for."""
    return owner_tag(context["request"].user.pk)


@register.simple_tag
def guests_welcome() -> bool:
    """Whether whoever has no account may play as a guest."""
    return settings.GUESTS


@register.simple_tag(takes_context=True)
def whole(context: dict[str, Any], name: str, *args: Any) -> str:
    """A whole address, for those who read the page elsewhere."""
    path: str = reverse(name, args=args)
    return f"{settings.PUBLIC_URL}{path}" if settings.PUBLIC_URL else context["request"].build_absolute_uri(path)


register.filter(apart)
register.filter(status_word)


@register.filter
def thousands(count: int) -> str:
    """A number that is read at a glance: 123 456."""
    return f"{count:,}".replace(",", "\u202f")


@register.filter
def role(name: str) -> str:
    """A seat's role as people write it: EC and DMO are abbreviations."""
    return name.upper() if name in ("ec", "dmo") else name


@register.simple_tag(takes_context=True)
def unseen_changes(context: dict[str, Any]) -> list[ReadableEntry]:
    """What others have done to the reader's account, as long as the reader hasn't seen it."""
    reader = context.get("user")
    return access_log.unseen(reader.id) if reader is not None and reader.is_authenticated else []


@register.simple_tag(takes_context=True)
def here(context: dict[str, Any], address: str) -> SafeString:
    """Marks the link to the part of the site that the reader is in."""
    request = context.get("request")
    at = request is not None and (request.path == address or request.path.startswith(f"{address}/"))
    return format_html(' aria-current="{}"', "page") if at else SafeString("")


@register.simple_tag(takes_context=True)
def moment(context: dict[str, Any], at: datetime | None) -> SafeString:
    """An instant in the reader's zone; its title tells the same in UTC."""
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
    """An instant as documents write it, in the reader's zone."""
    return moment(context, datetime.fromisoformat(at))


@register.simple_tag
def portrait(address: str, size: int, name: str = "") -> SafeString:
    """A portrait in its arch, `size` pixels wide: 24, 36, 48, 72 or 120. It is an ornament where the name stands
    beside; `name` is for where it doesn't."""
    return format_html(
        '<img class="portrait p{}" src="{}" width="{}" height="{}" alt="{}">', size, address, size, size * 5 // 4, name
    )


@register.simple_tag
def garnets(count: int) -> SafeString:
    """So many garnets as things, or where they are too many to be counted at a glance one of them and their number."""
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
    """A picture of a board in the reader's theme; the words beside it tell what it shows."""
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
    """Seconds in the largest unit that holds them whole: 300 is `5 minutes`."""
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
    """The name of the cookie with the token against other sites' forms."""
    return str(settings.CSRF_COOKIE_NAME)


@register.filter
def clock(seconds: int) -> str:
    """Seconds as a clock that stands shows them."""
    days, rest = divmod(seconds, 86400)
    hours, rest = divmod(rest, 3600)
    minutes, left = divmod(rest, 60)
    if days:
        return f"{days} d {hours} h"
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"


@register.filter
def seat_letter(seat: int) -> str:
    """What pages call a seat, as boards do."""
    return SEAT_LETTERS[seat]


@register.filter
def ticked(text: str) -> SafeString:
    """Plain text as HTML; what stands between backticks is code."""
    return mark_safe(re.sub("`([^`]+)`", r"<code>\1</code>", escape(text)))  # noqa: S308 (escaped right here)
