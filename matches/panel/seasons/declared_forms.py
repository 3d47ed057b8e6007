"""Forms made from the declarations of acts: a field for each value, by its kind."""

from collections.abc import Callable, Iterable
from typing import Any, Final, Literal, NamedTuple, get_args, get_origin

import msgspec
from django import forms
from msgspec.structs import FieldInfo
from unfold.widgets import (
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from matches.html.text_fields import LineField, LinesField
from matches.panel.control.forms import LONGEST_RULING, MOST_VERSION
from matches.panel.seasons.forms import (
    LONGEST_TITLE,
    SeasonForm,
    account_of,
    chosen,
    match_told,
    moment_field,
    number_field,
    reason_field,
    text_line,
)
from matches.panel.seasons.room import SeasonRoom
from matches.seasons import joining
from matches.seasons.domain.claims import CLAIMS
from matches.seasons.domain.declared import Ask, Kind, SeasonAct, is_optional, kinds_of, read
from matches.seasons.domain.options import MOST_GARNETS


class _Choices(NamedTuple):
    """All possible values, and their names."""

    values: Iterable[str]
    call: Callable[[str], str]


class AccountField(LineField):
    """The name of an active account; its value is the account's id."""

    def clean(self, value: Any) -> str:
        """Return the id; raise ValidationError."""
        return account_of(super().clean(value))


def _account(label: str, **more: Any) -> AccountField:
    widget = UnfoldAdminTextInputWidget(attrs={"autocomplete": "off"})
    return AccountField(label=label, max_length=LONGEST_TITLE, widget=widget, **more)


def _reason(label: str, **more: Any) -> LinesField:
    return reason_field()


def _statement(label: str, **more: Any) -> LinesField:
    widget = UnfoldAdminTextareaWidget(attrs={"rows": 4})
    return LinesField(label=label, max_length=LONGEST_RULING, widget=widget, **more)


def _numbered(label: str, **more: Any) -> forms.TypedChoiceField:
    return forms.TypedChoiceField(label=label, coerce=int, widget=UnfoldAdminSelectWidget, **more)


def _balance(label: str, **more: Any) -> forms.IntegerField:
    return number_field(label, 0, MOST_GARNETS, **{"initial": 0, **more})


_FIELDS: Final[dict[Kind, Callable[..., forms.Field]]] = {
    "player": chosen,
    "account": chosen,
    "match": chosen,
    "claim": _numbered,
    "link": _numbered,
    "newcomer": _account,
    "title": text_line,
    "reason": _reason,
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
"""The label and help of kinds whose label isn't the name of their field."""


def form_of(act: type[SeasonAct]) -> type[SeasonForm]:
    """Return the form that asks for the act's values; raise TypeError for a value without a field."""
    asks = {} if act.dialog is None else act.dialog.asks
    fields = {it.name: it for it in msgspec.structs.fields(act)}
    kinds = kinds_of(act)
    if stray := next((it for it in asks if it not in fields), None):
        raise TypeError(f"The act `{act.name}`: its dialog asks for `{stray}`, which is none of its fields.")

    def prepare(form: SeasonForm) -> None:
        for name, field in fields.items():
            none = asks.get(name, Ask()).words.get("", "None")
            _fill(form, name, kinds[name], none if is_optional(field.type) else None)

    def to_act(form: SeasonForm) -> SeasonAct:
        values = {name: None if it == "" else it for name, it in form.values().items()}
        return read(act, {name: it for name, it in values.items() if fields[name].required or it is not None})

    order = [*asks, *(it for it in fields if it not in asks)]
    namespace: dict[str, Any] = {it: _field(act, fields[it], asks.get(it)) for it in order}
    namespace |= {"prepare": prepare, "to_act": to_act, "__doc__": act.__doc__}
    return type(f"{act.__name__}Form", (SeasonForm,), namespace)


def _field(act: type[SeasonAct], field: FieldInfo, ask: Ask | None) -> forms.Field:
    """Return the field that asks for a value; one that has a default can be left empty."""
    kind = kinds_of(act)[field.name]
    usual = _USUAL.get(kind, Ask())
    ask = ask or Ask()
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
    """Return the field for a choice, a boolean or a number in a range; None for anything else."""
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


def _fill(form: SeasonForm, name: str, kind: Kind, none: str | None) -> None:
    """Fill a field's choices: with what the decider accepts, or if the value is optional with `none` and everything."""
    if kind == "moment":
        form.fields[name].in_zone(form.room.account.time_zone)
    if kind not in _CHOICES:
        return
    values, call = _CHOICES[kind](form.room)
    if none is None:
        form.choose(name, values, [str(it) for it in form.offer.of(name)], call)
    else:
        form.fields[name].choices = [("", none), *((it, call(it)) for it in values)]


def _claims(room: SeasonRoom) -> _Choices:
    claims = {str(it.number): it for it in room.state.claims}
    return _Choices(claims, lambda it: f"{it}, {room.call(claims[it].player)}: {CLAIMS[claims[it].kind]}")


def _links(room: SeasonRoom) -> _Choices:
    labels = joining.labels_of(room.row.id)
    called = {str(number): f"Link {number}, for {label}" for number, label in labels.items()}
    return _Choices(map(str, room.state.intake.links), lambda it: called.get(it, f"Link {it}"))


_CHOICES: Final[dict[Kind, Callable[[SeasonRoom], _Choices]]] = {
    "player": lambda room: _Choices(room.state.players, room.call),
    "account": lambda room: _Choices(room.state.staff, room.call),
    "match": lambda room: _Choices(reversed(room.state.matches), lambda it: match_told(room, it)),
    "claim": _claims,
    "link": _links,
}
"""The values of each kind in a season; the newest match first."""
