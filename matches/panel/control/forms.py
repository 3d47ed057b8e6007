"""Forms for a host's acts; each has a field for the reason."""

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from unfold.widgets import UnfoldAdminIntegerFieldWidget, UnfoldAdminTextInputWidget

from games.drawing.themes import SEAT_LETTERS
from matches.domain.declared import kinds_of, read
from matches.domain.declared_host_acts import HostAct
from matches.domain.lifecycle import Appeal
from matches.html.declared_fields import fields_of
from matches.html.fields import MOST_VERSION
from matches.html.seats import names_of
from matches.panel.control.text_choices import text_choices
from matches.panel.entry import ControlRoom
from matches.panel.fields import FIELDS, reason_field


class ActForm(forms.Form):
    """The values of an act, with the reason as the last field. For an act that needs the seats, the hidden field
    `expected` has the seats as the page showed them; if they have changed since, the act is refused."""

    act: type[HostAct]

    def __init__(self, *args: Any, room: ControlRoom, **more: Any) -> None:
        super().__init__(*args, use_required_attribute=False, **more)
        self.room = room
        for name, kind in kinds_of(self.act).items():
            if kind in ("seat", "seats"):
                self._set_choices(name, seat_choices(room), self._open_seats())
            elif kind == "appeal":
                appeals = room.lifecycle.appeals
                waiting = (it.number for it in appeals if it.decision is None)
                self._set_choices(name, [(it.number, _label(it)) for it in appeals], waiting)
            elif kind == "text":
                choices = text_choices(room)
                self._set_choices(name, choices, (commitment for commitment, _ in choices))
        self.order_fields([name for name in self.fields if name != "reason"])

    def to_act(self) -> HostAct:
        """Return the act with the form's values; call it on a valid form."""
        return read(self.act, self.cleaned_data)

    def _open_seats(self) -> list[int]:
        return [it for it in self.act.seats(self.room.lifecycle) if self.room.may(self.act.name, it)]

    def _set_choices(self, name: str, choices: Sequence[tuple[Any, str]], offered: Iterable[Any]) -> None:
        """Show only the offered choices, and accept all of them: the service refuses those that it no longer offers."""
        shown = set(offered)
        self.fields[name].choices = choices
        self.fields[name].widget.choices = [(number, label) for number, label in choices if number in shown]


def form_of(act: type[HostAct], base: type[ActForm] = ActForm) -> type[ActForm]:
    """Return the form class for the act's values; raise TypeError for a value without a field."""
    expected = {"expected": forms.CharField(max_length=64, widget=forms.HiddenInput)} if act.needs_seats else {}
    asks = {} if act.dialog is None else act.dialog.asks
    fields = fields_of(act, FIELDS, asks)
    namespace: dict[str, Any] = {**expected, **fields, "act": act, "__doc__": act.__doc__}
    return type(f"{act.__name__}Form", (base,), namespace)


def seat_choices(room: ControlRoom) -> list[tuple[int, str]]:
    """Return the seats by number, each with its letter and its player."""
    return [(seat, f"{SEAT_LETTERS[seat]}: {name}") for seat, name in enumerate(names_of(room.match))]


def _label(appeal: Appeal) -> str:
    return f"{appeal.number}: seat {SEAT_LETTERS[appeal.seat]}, {appeal.kind}: {appeal.text[:80]}"


class ConfirmedForm(ActForm):
    """An act that the host confirms by typing the match's code."""

    code = forms.CharField(max_length=12, widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "off"}))

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.fields["code"].help_text = f"Type {self.room.match.code} to confirm."

    def clean_code(self) -> str:
        """Return the code of this match; raise ValidationError for another."""
        code: str = self.cleaned_data["code"].upper()
        if code != self.room.match.code:
            raise ValidationError(f"That isn't this match's code; type {self.room.match.code}.")
        return code


class RewindForm(forms.Form):
    """The version from which play continues, and the reason; `expected` is the newest version at the preview."""

    expected = forms.IntegerField(min_value=1, max_value=MOST_VERSION, widget=forms.HiddenInput)
    to_version = forms.IntegerField(
        label="Back to version", min_value=1, max_value=MOST_VERSION, widget=UnfoldAdminIntegerFieldWidget
    )
    reason = reason_field()

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, use_required_attribute=False, **more)
