"""Template filters of the contest editor."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from matches.web.contests.controls import Control

register = template.Library()


@register.filter
def described(control: Control) -> SafeString:
    """Return the attributes that name a control's help and faults."""
    invalid = SafeString(' aria-invalid="true"') if control.faults else ""
    required = SafeString(' aria-required="true"') if control.is_required else ""
    return format_html('aria-describedby="{0}-hint {0}-fault"{1}{2}', control.anchor, invalid, required)
