"""The forms for a pasted list, applications, and a season's options."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from unfold.widgets import (
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldBooleanWidget,
)

from events.pipeline import Statement
from games.kernel import Event, Illegal, to_json
from matches.html.text_fields import PastedField
from matches.panel.fields import moment_field, reason_field
from matches.panel.seasons.forms import SeasonForm
from matches.panel.seasons.opening import option_field
from matches.seasons import joining, rosters
from matches.seasons.domain.changes import standing
from matches.seasons.domain.declared import SeasonAct
from matches.seasons.domain.intake_acts import Admit, Decline, EnrolList
from matches.seasons.domain.option_acts import ChangeOptions
from matches.seasons.domain.options import SeasonOptions


class ListForm(SeasonForm):
    """The form for a pasted list of players; its preview shows the effect or the fault of each line."""

    text = PastedField(
        label="Names or addresses",
        max_length=rosters.LONGEST_TEXT,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 8, "spellcheck": "false"}),
        help_text="Paste a list, a table or the recipients of an e-mail. An account's name enrols the account; an "
        "e-mail address, alone or with a name, makes a joining link, which you send. A first line of headings is "
        "optional: name, e-mail.",
    )
    skip_faulty = forms.BooleanField(label="Leave out lines with a fault", required=False, widget=UnfoldBooleanWidget)
    closes_at = moment_field("Links are valid until", required=False, help_text="Empty: until the season begins.")

    def prepare(self) -> None:
        self.reading = rosters.Reading([])
        self.fields["closes_at"].in_zone(self.room.account.time_zone)

    def clean(self) -> dict[str, Any]:
        """Read the list, and add an error for each line with a fault unless `skip_faulty` is ticked."""
        values: dict[str, Any] = super().clean()
        if "text" not in values:
            return values
        try:
            self.reading = rosters.read(self.room.state, self.room.by, values["text"])
        except Illegal as refused:
            self.add_error("text", refused.message)
        if not values.get("skip_faulty"):
            faults = rosters.faults_of(self.reading.faulty)
            if faults:
                self.add_error("text", [ValidationError(fault) for fault in faults])
        return values

    def to_act(self) -> EnrolList:
        closes_at = self.cleaned_data["closes_at"] or None
        return EnrolList(tuple(self.reading.players), len(self.reading.labels), closes_at)

    def notes(self) -> Sequence[str]:
        return self.reading.notes

    def beside(self, events: Sequence[Event]) -> list[Statement]:
        return joining.keeping(self.room.row.id, list(events), self.reading.labels)


class ApplicantForm(SeasonForm):
    """The form that admits an applicant."""

    player = forms.ChoiceField(label="Applicant", widget=UnfoldAdminSelectWidget)

    def prepare(self) -> None:
        applications = self.room.state.intake.applications
        self.choose("player", applications, self.offer.values("player"), self.room.call)

    def to_act(self) -> SeasonAct:
        """Return the admission of the applicant."""
        return Admit(self.cleaned_data["player"])


class DeclineForm(ApplicantForm):
    """The form that declines an applicant, with a reason."""

    reason = reason_field()

    def to_act(self) -> SeasonAct:
        """Return the refusal of the applicant."""
        return Decline(self.cleaned_data["player"], self.cleaned_data["reason"])


class OptionsForm(SeasonForm):
    """The form for those options of a season that can still be changed."""

    reason = reason_field()

    def prepare(self) -> None:
        now = to_json(self.room.state.options)
        for name in SeasonOptions.__struct_fields__:
            if not standing(self.room.state, name):
                self.fields[name] = option_field(name)
                self.initial.setdefault(name, now[name])
        self.order_fields([*(name for name in self.fields if name != "reason"), "reason"])

    def to_act(self) -> ChangeOptions:
        """Return the act with the options that differ from the stored ones."""
        values, now = self.values(), to_json(self.room.state.options)
        reason = values.pop("reason")
        return ChangeOptions({name: it for name, it in values.items() if it != now[name]}, reason)
