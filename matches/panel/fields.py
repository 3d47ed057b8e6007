"""Fields of the panel's forms."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
)

from matches.html.moments import MomentField
from matches.html.text_fields import LineField, LinesField
from matches.reads import selectors

LONGEST_TITLE = 120
LONGEST_REASON = 500
LONGEST_RULING = 2000
MOST_VERSION = 2**31 - 1


def chosen(label: str, **more: Any) -> forms.ChoiceField:
    """Return the field for a choice of one."""
    return forms.ChoiceField(label=label, widget=UnfoldAdminSelectWidget, **more)


def text_line(label: str, longest: int = LONGEST_TITLE, **more: Any) -> LineField:
    """Return the field for a line of text."""
    widget = UnfoldAdminTextInputWidget(attrs={"autocomplete": "off"})
    return LineField(label=label, max_length=longest, widget=widget, **more)


def reason_field() -> LinesField:
    """Return the field for the reason of an act."""
    return LinesField(
        max_length=LONGEST_REASON,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 2}),
        help_text="It becomes part of the record, for all to read.",
    )


def number_field(label: str, least: int | None, most: int | None, **more: Any) -> forms.IntegerField:
    """Return the field for a whole number between two others."""
    return forms.IntegerField(
        label=label, min_value=least, max_value=most, widget=UnfoldAdminIntegerFieldWidget, **more
    )


def moment_field(label: str, **more: Any) -> MomentField:
    """Return the field for an instant; its `in_zone` sets whose clock it is read by."""
    return MomentField(label=label, widget=UnfoldAdminTextInputWidget(attrs={"type": "datetime-local"}), **more)


def account_of(name: str) -> str:
    """Return the id of the active account with this name; raise ValidationError."""
    account = selectors.account_named(name)
    if account is None:
        raise ValidationError(f"There is no active account {name}; type its name as it signs in.")
    return str(account.id)
