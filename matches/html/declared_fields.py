"""The fields of a declared act's form, one for each value, by its kind; and the act that a valid form contains."""

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, Literal, TypeVar, get_args, get_origin

import msgspec
from django import forms
from django.utils.translation import gettext_lazy
from msgspec.structs import FieldInfo

from matches.domain.declared import Act, Ask, Kind, is_optional, kinds_of, read
from matches.html.fields import MOST_VERSION, Fields
from matches.seasons.domain.options import MOST_GARNETS

A = TypeVar("A", bound=Act)
_TIMES: Final = {
    "first": gettext_lazy("First time"),
    "second": gettext_lazy("Second time"),
    "third": gettext_lazy("Third time"),
}
"""The fields of a value of the kind `moments`, which is asked for once in a form."""


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ValueError(text)
    return int(text)


def _numbered(fields: Fields, label: str, **more: Any) -> forms.TypedChoiceField:
    return fields.choice(label, _number, **more)


def _remark(fields: Fields, label: str, **more: Any) -> forms.Field:
    """Return the field of a reason: forms require one."""
    return fields.reason(label, **more | {"required": True})


_FIELDS: Final[dict[Kind, Callable[..., forms.Field]]] = {
    "player": Fields.choice,
    "account": Fields.choice,
    "match": Fields.choice,
    "game": Fields.choice,
    "numbered": _numbered,
    "link": _numbered,
    "appeal": _numbered,
    "text": Fields.commitment,
    "seat": _numbered,
    "seats": Fields.numbers,
    "seat_player": Fields.seat_player,
    "newcomer": Fields.account,
    "title": Fields.line,
    "reason": Fields.reason,
    "remark": _remark,
    "statement": Fields.statement,
    "amount": lambda fields, label, **more: fields.number(label, 0, MOST_GARNETS, **{"initial": 0, **more}),
    "garnets": lambda fields, label, **more: fields.number(label, 1, MOST_GARNETS, **more),
    "version": lambda fields, label, **more: fields.number(label, 1, MOST_VERSION, **more),
    "moment": Fields.moment,
}
_USUAL: Final[dict[Kind, Ask]] = {
    "account": Ask("Who"),
    "amount": Ask("Garnets"),
    "garnets": Ask("Garnets"),
    "newcomer": Ask("Name", "The account's name, as it signs in."),
}
"""The label and help of kinds that aren't named after their field."""


def fields_of(
    act: type[Act], fields: Fields, asks: Mapping[str, Ask], omitted: Collection[str] = ()
) -> dict[str, forms.Field]:
    """Return the fields by name, those in `asks` first; raise TypeError for a value without one."""
    declared = {it.name: it for it in msgspec.structs.fields(act) if it.name not in omitted}
    if stray := next((it for it in asks if it not in declared), None):
        raise TypeError(f"The act `{act.name}`: its form asks for `{stray}`, which is none of its fields.")
    made: dict[str, forms.Field] = {}
    for name in [*asks, *(it for it in declared if it not in asks)]:
        if kinds_of(act)[name] == "moments":
            made |= {it: fields.moment(label, required=it == "first") for it, label in _TIMES.items()}
        else:
            made[name] = _field(act, declared[name], asks.get(name, Ask()), fields)
    return made


def act_of(act: type[A], cleaned: Mapping[str, Any]) -> A:
    """Return the act with the values of a valid form. An optional value that is empty is None, or has its default."""
    values: dict[str, Any] = {}
    for field in msgspec.structs.fields(act):
        if kinds_of(act)[field.name] == "moments":
            values[field.name] = tuple(time for it in _TIMES if (time := cleaned[it]))
        elif field.name in cleaned:
            value = None if cleaned[field.name] == "" else cleaned[field.name]
            values |= {field.name: value} if field.required or value is not None else {}
    return read(act, values)


def _field(act: type[Act], field: FieldInfo, ask: Ask, fields: Fields) -> forms.Field:
    """Return the field that asks for a value; one that has a default can be left empty."""
    kind = kinds_of(act)[field.name]
    usual = _USUAL.get(kind, Ask())
    label = gettext_lazy(ask.label or usual.label or field.name.replace("_", " ").capitalize())
    more: dict[str, Any] = {"required": field.required and not is_optional(field.type)}
    more |= {"help_text": gettext_lazy(it)} if (it := ask.help or usual.help) else {}
    more |= {"initial": ask.initial} if ask.initial is not None else {}
    if kind in _FIELDS:
        return _FIELDS[kind](fields, label, **more)
    if kind == "plain" and (plain := _plain(fields, field, label, ask, more)):
        return plain
    raise TypeError(
        f"The act `{act.name}`: forms have no field for its `{field.name}` ({kind}), so add one to "
        "matches/html/declared_fields.py, or give the act a form of its own."
    )


def _plain(fields: Fields, field: FieldInfo, label: str, ask: Ask, more: dict[str, Any]) -> forms.Field | None:
    """Return the field for a choice, a yes or no, or a number between two others; None for anything else."""
    if field.type is bool:
        return fields.tick(label, **more | {"required": False})
    if get_origin(field.type) is Literal:
        choices = [(it, gettext_lazy(ask.words.get(it, it.capitalize()))) for it in get_args(field.type)]
        initial = {} if field.required else {"initial": field.default}
        return fields.literal(label, choices, **initial | more)
    for it in (field.type, *get_args(field.type)):
        for meta in getattr(it, "__metadata__", ()):
            return fields.number(label, meta.ge, meta.le, **more)
    return None
