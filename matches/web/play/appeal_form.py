"""The form of an appeal."""

from typing import get_args

from django import forms

from matches.domain.events import AppealKind
from matches.html.text_fields import LinesField

LONGEST_APPEAL = 2_000
KINDS = tuple(
    zip(get_args(AppealKind), ("A move or a rule", "The clock", "Somebody's conduct", "Something else"), strict=True)
)


class AppealForm(forms.Form):
    """An appeal on the match page."""

    kind = forms.ChoiceField(choices=KINDS)
    text = LinesField(max_length=LONGEST_APPEAL)
