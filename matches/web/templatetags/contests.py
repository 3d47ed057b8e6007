"""Template filters of the contest editor."""

import re

from django import template
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

from matches.web.contests.controls import Control

register = template.Library()


@register.filter
def help(text: str) -> SafeString:
    """Return a sentence of a docstring as HTML: the names in it in words, emphasised."""
    escaped = re.sub("`([^`]+)`", lambda name: f"<em>{name[1].replace('_', ' ')}</em>", escape(text))
    words = re.sub(r"^<em>\w", lambda begin: begin[0].upper().replace("<EM>", "<em>"), escaped)
    return mark_safe(words)  # noqa: S308 (escaped right here)


@register.filter
def described(control: Control) -> SafeString:
    """Return the attributes that name a control's help and faults."""
    invalid = SafeString(' aria-invalid="true"') if control.faults else ""
    required = SafeString(' aria-required="true"') if control.is_required else ""
    return format_html('aria-describedby="{0}-hint {0}-fault"{1}{2}', control.anchor, invalid, required)
