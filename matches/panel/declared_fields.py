"""The fields of a declared act's form: one for each value, by its kind."""

from collections.abc import Callable
from typing import Any, Final, Literal, get_args, get_origin

import msgspec
from django import forms
from msgspec.structs import FieldInfo
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from matches.domain.declared import Act, Ask, Kind, is_optional, kinds_of
from matches.domain.events import BOT
from matches.html.text_fields import LineField, LinesField
from matches.panel.fields import (
    LONGEST_RULING,
    LONGEST_TITLE,
    MOST_VERSION,
    account_of,
    chosen,
    moment_field,
    number_field,
    reason_field,
    text_line,
)
from matches.seasons.domain.options import MOST_GARNETS


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


def _account(label: str, **more: Any) -> AccountField:
    widget = UnfoldAdminTextInputWidget(attrs={"autocomplete": "off"})
    return AccountField(label=label, max_length=LONGEST_TITLE, widget=widget, **more)


def _seat_player(label: str, **more: Any) -> SeatPlayerField:
    return SeatPlayerField(label=label, max_length=40, widget=UnfoldAdminTextInputWidget, **more)


def _seats(label: str, **more: Any) -> forms.TypedMultipleChoiceField:
    return forms.TypedMultipleChoiceField(
        label=label, coerce=int, widget=UnfoldAdminCheckboxSelectMultipleWidget, **more
    )


def _reason(label: str, **more: Any) -> LinesField:
    return reason_field()


def _statement(label: str, **more: Any) -> LinesField:
    widget = UnfoldAdminTextareaWidget(attrs={"rows": 4})
    return LinesField(label=label, max_length=LONGEST_RULING, widget=widget, **more)


def _numbered(label: str, **more: Any) -> forms.TypedChoiceField:
    return forms.TypedChoiceField(label=label, coerce=int, widget=UnfoldAdminSelectWidget, **more)


def _text(label: str, **more: Any) -> forms.RegexField:
    return forms.RegexField("^[0-9a-f]{64}$", label=label, widget=UnfoldAdminSelectWidget, **more)


def _balance(label: str, **more: Any) -> forms.IntegerField:
    return number_field(label, 0, MOST_GARNETS, **{"initial": 0, **more})


_FIELDS: Final[dict[Kind, Callable[..., forms.Field]]] = {
    "player": chosen,
    "account": chosen,
    "match": chosen,
    "numbered": _numbered,
    "link": _numbered,
    "appeal": _numbered,
    "text": _text,
    "seat": _numbered,
    "seats": _seats,
    "seat_player": _seat_player,
    "newcomer": _account,
    "title": text_line,
    "reason": _reason,
    "remark": _reason,
    "statement": _statement,
    "amount": _balance,
    "garnets": lambda label, **more: number_field(label, 1, MOST_GARNETS, **more),
    "version": lambda label, **more: number_field(label, 1, MOST_VERSION, **more),
    "moment": moment_field,
}
_USUAL: Final[dict[Kind, Ask]] = {
    "account": Ask("Who"),
    "amount": Ask("Garnets"),
    "garnets": Ask("Garnets"),
    "newcomer": Ask("Name", "The account's name, as it signs in."),
}
"""The label and help of kinds that aren't named after their field."""


def fields_of(act: type[Act]) -> dict[str, forms.Field]:
    """Return the fields by name, in their order; raise TypeError for a value without one."""
    asks = {} if act.dialog is None else act.dialog.asks
    fields = {it.name: it for it in msgspec.structs.fields(act)}
    if stray := next((it for it in asks if it not in fields), None):
        raise TypeError(f"The act `{act.name}`: its dialog asks for `{stray}`, which is none of its fields.")
    order = [*asks, *(it for it in fields if it not in asks)]
    return {it: _field(act, fields[it], asks.get(it, Ask())) for it in order}


def _field(act: type[Act], field: FieldInfo, ask: Ask) -> forms.Field:
    """Return the field that asks for a value; one that has a default can be left empty."""
    kind = kinds_of(act)[field.name]
    usual = _USUAL.get(kind, Ask())
    label = ask.label or usual.label or field.name.replace("_", " ").capitalize()
    more: dict[str, Any] = {"required": field.required and not is_optional(field.type)}
    more |= {"help_text": it} if (it := ask.help or usual.help) else {}
    more |= {"initial": ask.initial} if ask.initial is not None else {}
    if kind in _FIELDS:
        return _FIELDS[kind](label, **more)
    if kind == "plain" and (plain := _plain(field, label, ask, more)):
        return plain
    raise TypeError(
        f"The act `{act.name}`: the panel has no field for its `{field.name}` ({kind}), so give the act a form."
    )


def _plain(field: FieldInfo, label: str, ask: Ask, more: dict[str, Any]) -> forms.Field | None:
    """Return the field for a choice, a yes or no, or a number between two others; None for anything else."""
    if field.type is bool:
        return forms.BooleanField(label=label, widget=UnfoldBooleanWidget, **more | {"required": False})
    if get_origin(field.type) is Literal:
        choices = [(it, ask.words.get(it, it.capitalize())) for it in get_args(field.type)]
        initial = {} if field.required else {"initial": field.default}
        return forms.ChoiceField(label=label, choices=choices, widget=UnfoldAdminSelectWidget, **initial | more)
    for it in (field.type, *get_args(field.type)):
        for meta in getattr(it, "__metadata__", ()):
            return number_field(label, meta.ge, meta.le, **more)
    return None
