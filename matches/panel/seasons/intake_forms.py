"""The forms by which players come into a season: a list, joining links, applications, late, back; and its options."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldBooleanWidget,
)

from events.pipeline import Statement
from games.kernel import Event, Illegal, to_json
from matches.html.text_fields import PastedField
from matches.panel.seasons.forms import NewcomerForm, PlayerForm, SeasonForm, reason_field
from matches.panel.seasons.opening import option_field
from matches.panel.seasons.timing_forms import moment_field
from matches.seasons import joining, rosters
from matches.seasons.domain.changes import standing
from matches.seasons.domain.options import MOST_GARNETS, SeasonOptions

_MOST_COMERS = 1000


def _balance() -> forms.IntegerField:
    return forms.IntegerField(
        label="Garnets", min_value=0, max_value=MOST_GARNETS, widget=UnfoldAdminIntegerFieldWidget, initial=0
    )


class ListForm(SeasonForm):
    """A pasted list: what each line does shows in the preview, and what is wrong with it."""

    text = PastedField(
        label="Names or addresses",
        max_length=rosters.LONGEST_TEXT,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 8, "spellcheck": "false"}),
        help_text="Paste a list, a table or the recipients of an e-mail. An account's name enrols it; an e-mail "
        "address, alone or with a name, makes a link of its own, for you to send. A first line of headings is "
        "optional: name, e-mail.",
    )
    skip_faulty = forms.BooleanField(label="Leave lines with a fault out", required=False, widget=UnfoldBooleanWidget)
    closes_at = moment_field("Links are good until", required=False, help_text="Empty: until the season begins.")

    def prepare(self) -> None:
        """By the organiser's clock."""
        self.reading = rosters.Reading([])
        self.fields["closes_at"].in_zone(self.room.account.time_zone)

    def clean(self) -> dict[str, Any]:
        """Each line with a fault is told, unless they are to be left out."""
        told: dict[str, Any] = super().clean()
        if "text" not in told:
            return told
        try:
            self.reading = rosters.read(self.room.state, self.room.by, told["text"])
        except Illegal as refused:
            self.add_error("text", refused.message)
        if not told.get("skip_faulty"):
            faults = rosters.faults_of(self.reading.faulty)
            if faults:
                self.add_error("text", [ValidationError(fault) for fault in faults])
        return told

    def values(self) -> dict[str, Any]:
        """Who is enrolled, and how many are invited."""
        closes_at = self.cleaned_data["closes_at"] or None
        return {"players": self.reading.players, "invited": len(self.reading.labels), "closes_at": closes_at}

    def notes(self) -> Sequence[str]:
        """Columns that aren't read."""
        return self.reading.notes

    def beside(self, events: Sequence[Event]) -> list[Statement]:
        """For whom each link is."""
        return joining.keeping(self.room.row.id, list(events), self.reading.labels)


class JoiningForm(SeasonForm):
    """A link by which to ask to play."""

    approval = forms.BooleanField(
        label="I let each one in myself",
        required=False,
        initial=True,
        widget=UnfoldBooleanWidget,
        help_text="Otherwise who asks is in as long as there is room.",
    )
    most = forms.IntegerField(
        label="For how many",
        required=False,
        min_value=1,
        max_value=_MOST_COMERS,
        widget=UnfoldAdminIntegerFieldWidget,
        help_text="Empty: for everybody who has it.",
    )
    closes_at = moment_field("Good until", required=False, help_text="Empty: until the season begins.")

    def prepare(self) -> None:
        """By the organiser's clock."""
        self.fields["closes_at"].in_zone(self.room.account.time_zone)

    def values(self) -> dict[str, Any]:
        """None is without an end."""
        told = super().values()
        return told | {"closes_at": told["closes_at"] or None}


class RevocationForm(SeasonForm):
    """A link that is good no more, and why."""

    link = forms.TypedChoiceField(coerce=int, widget=UnfoldAdminSelectWidget)
    reason = reason_field()

    def prepare(self) -> None:
        """The links that aren't revoked."""
        labels = joining.labels_of(self.room.row.id)
        known = [str(it) for it in self.room.state.intake.links]
        told = {str(number): f"Link {number}, for {label}" for number, label in labels.items()}
        self.choose("link", known, [str(it) for it in self.offer.of("link")], lambda it: told.get(it, f"Link {it}"))


class ApplicantForm(SeasonForm):
    """Somebody who asks to play."""

    player = forms.ChoiceField(label="Who asks to play", widget=UnfoldAdminSelectWidget)

    def prepare(self) -> None:
        """Those who wait for an answer."""
        known = self.room.state.intake.applications
        self.choose("player", known, self.offer.of("player"), self.room.call)


class DeclineForm(ApplicantForm):
    """Who isn't let in, and why."""

    reason = reason_field()


class LateForm(NewcomerForm):
    """Who comes into the season under way."""

    amount = _balance()
    reason = reason_field()


class ReturnForm(PlayerForm):
    """Who comes back."""

    amount = _balance()
    reason = reason_field()


class OptionsForm(SeasonForm):
    """The options on which nothing rests yet, as they are."""

    reason = reason_field()

    def prepare(self) -> None:
        """A field for each that is free."""
        now = to_json(self.room.state.options)
        for name in SeasonOptions.__struct_fields__:
            if not standing(self.room.state, name):
                self.fields[name] = option_field(name)
                self.initial.setdefault(name, now[name])
        self.order_fields([*(name for name in self.fields if name != "reason"), "reason"])

    def values(self) -> dict[str, Any]:
        """What is another now."""
        told, now = super().values(), to_json(self.room.state.options)
        reason = told.pop("reason")
        return {"changes": {name: it for name, it in told.items() if it != now[name]}, "reason": reason}
