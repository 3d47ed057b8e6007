"""Template filters of the contest editor."""

import re

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

register = template.Library()


@register.filter
def help(text: str) -> SafeString:
    """Return a sentence of a docstring as HTML: the names in it in words, emphasised."""
    escaped = re.sub("`([^`]+)`", lambda name: f"<em>{name[1].replace('_', ' ')}</em>", escape(text))
    words = re.sub(r"^<em>\w", lambda begin: begin[0].upper().replace("<EM>", "<em>"), escaped)
    return mark_safe(words)  # noqa: S308 (escaped right here)
