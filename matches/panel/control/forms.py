"""The forms of a host's acts; each has a reason."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
)

from games.drawing.themes import SEAT_LETTERS
from matches.domain.events import BOT
from matches.domain.lifecycle import Appeal
from matches.html.seats import names_of
from matches.html.text_fields import LinesField
from matches.panel.entry import ControlRoom
from matches.reads import selectors

LONGEST_REASON = 500
LONGEST_RULING = 2000
MOST_SECONDS = 86400 * 30
MOST_VERSION = 2**31 - 1


class ActForm(forms.Form):
    """The host's reason."""

    reason = LinesField(
        max_length=LONGEST_REASON,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 2}),
        help_text="Stands in the record, for all to read.",
    )

    def __init__(self, *args: Any, room: ControlRoom, **more: Any) -> None:
        super().__init__(*args, use_required_attribute=False, **more)
        self.room = room
        if "seat" in self.fields:
            self.fields["seat"].choices = seat_choices(room)
        if "winners" in self.fields:
            self.fields["winners"].choices = seat_choices(room)
        self.order_fields([name for name in self.fields if name != "reason"])


def seat_choices(room: ControlRoom) -> list[tuple[int, str]]:
    """Return the seats by number, each with its letter and its player."""
    return [(seat, f"{SEAT_LETTERS[seat]}: {name}") for seat, name in enumerate(names_of(room.match))]


def _seat() -> forms.TypedChoiceField:
    return forms.TypedChoiceField(coerce=int, widget=UnfoldAdminSelectWidget)


def _expected() -> forms.CharField:
    """Return the field for the `host_acts.seats_and_status` that the dialog was made for: if it has changed, the act is
    refused."""
    return forms.CharField(max_length=64, widget=forms.HiddenInput)


class RulingForm(ActForm):
    """The text of the ruling."""

    reason = LinesField(
        label="Ruling",
        max_length=LONGEST_RULING,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 4}),
        help_text="How the rule is meant; stands in the record, for all to read.",
    )


class TimeForm(ActForm):
    """A seat's running turn, and the seconds that it gets."""

    seat = _seat()
    seconds = forms.IntegerField(min_value=1, max_value=MOST_SECONDS, initial=60, widget=UnfoldAdminIntegerFieldWidget)


class WinnersForm(ActForm):
    """The seats that have won."""

    expected = _expected()
    winners = forms.TypedMultipleChoiceField(coerce=int, widget=UnfoldAdminCheckboxSelectMultipleWidget)


class SeatForm(ActForm):
    """A seat."""

    seat = _seat()


class SubstituteForm(SeatForm):
    """A seat, and its new player."""

    expected = _expected()
    player = forms.CharField(
        max_length=40,
        widget=UnfoldAdminTextInputWidget,
        help_text="The account's name, or bot. Who has seen secrets of this match can't take a seat.",
    )

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        # If the seat is taken meanwhile, the service refuses with its own message.
        free = [(seat, name) for seat, name in seat_choices(self.room) if self.room.may("substitute", seat)]
        self.fields["seat"].widget.choices = free

    def clean_player(self) -> Any:
        """Return the account's id, or `bot`."""
        name = self.cleaned_data["player"]
        if name.casefold() == BOT:
            return BOT
        account = selectors.account_named(name)
        if account is None:
            raise ValidationError(f"There is no active account {name}; type its name as it signs in.")
        return account.id


class StandInForm(SeatForm):
    """A seat, and who plays it until its player is back."""

    player = forms.ChoiceField(
        choices=[("bot", "The game's bot"), ("dealer", "The dealer, at random")], widget=UnfoldAdminSelectWidget
    )


class EndStandInForm(SeatForm):
    """A seat whose stand-in leaves."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        held = dict(self.room.story.stand_ins)
        # If the stand-in has left meanwhile, the service refuses with its own message.
        self.fields["seat"].widget.choices = [
            (seat, name)
            for seat, name in seat_choices(self.room)
            if seat in held and self.room.may("end_stand_in", seat)
        ]


class VoidForm(ActForm):
    """A confirmation by the match's code."""

    expected = _expected()
    code = forms.CharField(max_length=12, widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "off"}))

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields["code"].help_text = f"Type {self.room.match.code} to confirm."

    def clean_code(self) -> str:
        """Return the code of this match; raise ValidationError for another."""
        code = self.cleaned_data["code"].upper()
        if code != self.room.match.code:
            raise ValidationError(f"That isn't this match's code; type {self.room.match.code}.")
        return code

    def clean(self) -> None:
        """Remove the code, which only confirms the act and isn't part of it."""
        self.cleaned_data.pop("code", None)


class AnswerForm(ActForm):
    """An appeal, and its answer."""

    number = forms.TypedChoiceField(label="Appeal", coerce=int, widget=UnfoldAdminSelectWidget)
    decision = forms.ChoiceField(
        choices=[("approved", "Approve"), ("rejected", "Reject")], widget=UnfoldAdminSelectWidget
    )

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        appeals = self.room.story.appeals
        self.fields["number"].choices = [(appeal.number, _label(appeal)) for appeal in appeals]
        # If the appeal was answered meanwhile, the service refuses with its own message.
        self.fields["number"].widget.choices = [(it.number, _label(it)) for it in appeals if it.decision is None]


def _label(appeal: Appeal) -> str:
    return f"{appeal.number}: seat {SEAT_LETTERS[appeal.seat]}, {appeal.kind}: {appeal.text[:80]}"


class RewindForm(ActForm):
    """The version from which play continues; `expected` is the newest one at the preview."""

    expected = forms.IntegerField(min_value=1, max_value=MOST_VERSION, widget=forms.HiddenInput)
    to_version = forms.IntegerField(
        label="Back to version", min_value=1, max_value=MOST_VERSION, widget=UnfoldAdminIntegerFieldWidget
    )
