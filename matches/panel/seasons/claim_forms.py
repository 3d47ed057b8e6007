"""The form by which a claim is answered."""

from typing import Any

from django import forms
from unfold.widgets import UnfoldAdminSelectWidget

from matches.panel.seasons.forms import SeasonForm, reason_field
from matches.seasons.reads.intake_sentences import CLAIMS

_DECISIONS = [("upheld", "Upheld"), ("rejected", "Rejected")]


class AnswerForm(SeasonForm):
    """A claim, the decision and why."""

    number = forms.TypedChoiceField(label="Claim", coerce=int, widget=UnfoldAdminSelectWidget)
    decision = forms.ChoiceField(choices=_DECISIONS, widget=UnfoldAdminSelectWidget)
    reason = reason_field()

    def prepare(self) -> None:
        """The claims that wait for an answer."""
        known = {str(it.number): it for it in self.room.state.claims}

        def told(number: str) -> Any:
            return f"{number}, {self.room.call(known[number].player)}: {CLAIMS[known[number].kind]}"

        self.choose("number", known, [str(it) for it in self.offer.of("number")], told)
