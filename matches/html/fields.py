"""The fields of forms in the panel and at the players' desk, each with its interface's widget."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from matches.domain.events import BOT
from matches.html.moments import MomentField
from matches.html.text_fields import LineField, LinesField
from matches.reads import selectors

LONGEST_TITLE = 120
LONGEST_REASON = 500
LONGEST_STATEMENT = 2000
MOST_VERSION = 2**31 - 1
Widget: TypeAlias = forms.Widget | type[forms.Widget]


class AccountField(LineField):
    """The name of an active account; its value is the account's id."""

    def clean(self, value: Any) -> str:
        """Return the id; raise ValidationError."""
        return account_of(super().clean(value))


class SeatPlayerField(AccountField):
    """The name of an active account, or `bot`; its value is the account's id, or BOT."""

    def clean(self, value: Any) -> str:
        """Return the id or BOT; raise ValidationError."""
        return BOT if str(value).strip().casefold() == BOT else super().clean(value)


class AmountsField(LineField):
    """Up to `count` whole numbers from `least` to `most`, in one line; its value is a tuple."""

    def __init__(self, *, least: int, most: int, count: int, **more: Any) -> None:
        super().__init__(**more)
        self.least, self.most, self.count = least, most, count

    def clean(self, value: Any) -> tuple[int, ...]:
        """Return the numbers; raise ValidationError."""
        words = super().clean(value).replace(",", " ").split()
        if not all(it.isascii() and it.isdigit() and self.least <= int(it) <= self.most for it in words):
            span = {"least": self.least, "most": self.most}
            raise ValidationError(_("Write whole numbers from %(least)d to %(most)d, as “3 2 1”.") % span)
        if len(words) > self.count:
            raise ValidationError(_("Write at most %(count)d numbers.") % {"count": self.count})
        return tuple(map(int, words))


class Widgets(NamedTuple):
    """An interface's widgets; those of texts of several lines have their number of lines."""

    line: type[forms.Widget]
    statement: Widget
    reason: Widget
    select: Widget
    ticks: Widget
    tick: Widget
    number: Widget


class Fields:
    """Makes an interface's fields. `choice_field` is the class of its fields for a choice of one."""

    def __init__(self, widgets: Widgets, choice_field: type[forms.TypedChoiceField] = forms.TypedChoiceField) -> None:
        self._widgets = widgets
        self._choice_field = choice_field

    def choice(self, label: str, coerce: Callable[[str], Any] = str, **more: Any) -> forms.TypedChoiceField:
        """Return the field for a choice of one."""
        return self._choice_field(label=label, coerce=coerce, widget=self._widgets.select, **more)

    def literal(self, label: str, choices: list[tuple[str, Any]], **more: Any) -> forms.ChoiceField:
        """Return the field for one of these choices, which are always the same."""
        return forms.ChoiceField(label=label, choices=choices, widget=self._widgets.select, **more)

    def commitment(self, label: str, **more: Any) -> forms.RegexField:
        """Return the field for one of the texts that a match's log names by commitments."""
        return forms.RegexField("^[0-9a-f]{64}$", label=label, widget=self._widgets.select, **more)

    def numbers(self, label: str, **more: Any) -> forms.TypedMultipleChoiceField:
        """Return the field for a choice of several numbers."""
        return forms.TypedMultipleChoiceField(label=label, coerce=int, widget=self._widgets.ticks, **more)

    def tick(self, label: str, **more: Any) -> forms.BooleanField:
        """Return the field for a yes or no."""
        return forms.BooleanField(label=label, widget=self._widgets.tick, **more)

    def line(self, label: str, longest: int = LONGEST_TITLE, **more: Any) -> LineField:
        """Return the field for a line of text."""
        return LineField(label=label, max_length=longest, widget=self._line(), **more)

    def account(self, label: str, **more: Any) -> AccountField:
        """Return the field for the name of an account."""
        return AccountField(label=label, max_length=LONGEST_TITLE, widget=self._line(), **more)

    def seat_player(self, label: str, **more: Any) -> SeatPlayerField:
        """Return the field for who plays a seat."""
        return SeatPlayerField(label=label, max_length=40, widget=self._widgets.line, **more)

    def reason(self, label: str | None = None, **more: Any) -> LinesField:
        """Return the field for the reason of an act."""
        more.setdefault("help_text", gettext_lazy("It becomes part of the record, for all to read."))
        return LinesField(label=label, max_length=LONGEST_REASON, widget=self._widgets.reason, **more)

    def statement(self, label: str, **more: Any) -> LinesField:
        """Return the field for a text that is longer than a reason."""
        return LinesField(label=label, max_length=LONGEST_STATEMENT, widget=self._widgets.statement, **more)

    def number(self, label: str, least: int | None, most: int | None, **more: Any) -> forms.IntegerField:
        """Return the field for a whole number between two others."""
        return forms.IntegerField(label=label, min_value=least, max_value=most, widget=self._widgets.number, **more)

    def amounts(self, label: str, least: int, most: int, count: int, **more: Any) -> AmountsField:
        """Return the field for several whole numbers, each between two others."""
        return AmountsField(
            label=label, least=least, most=most, count=count, max_length=LONGEST_REASON, widget=self._line(), **more
        )

    def moment(self, label: str, **more: Any) -> MomentField:
        """Return the field for an instant; its `in_zone` sets whose clock it is read by."""
        return MomentField(label=label, widget=self._widgets.line(attrs={"type": "datetime-local"}), **more)

    def _line(self) -> forms.Widget:
        return self._widgets.line(attrs={"autocomplete": "off"})


def account_of(name: str) -> str:
    """Return the id of the active account with this name; raise ValidationError."""
    account = selectors.account_named(name)
    if account is None:
        raise ValidationError(_("There is no active account %(name)s; type its name as it signs in.") % {"name": name})
    return str(account.id)
