"""The fields of a declared act's form, one for each value, by its kind; and the act that a valid form contains."""

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, Literal, TypeVar, get_args, get_origin

import msgspec
from django import forms
from django.utils.translation import gettext_lazy
from msgspec import Struct
from msgspec.structs import FieldInfo

from matches.domain.declared import Ask, Kind, is_optional, kinds_of, name_of, read
from matches.html.fields import MOST_VERSION, Fields
from matches.seasons.domain.options import MOST_GARNETS

S = TypeVar("S", bound=Struct)
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
    act: type[Struct], fields: Fields, asks: Mapping[str, Ask], omitted: Collection[str] = ()
) -> dict[str, forms.Field]:
    """Return the fields of an act, or of a struct that an act has, by name, those in `asks` first; raise TypeError for
    a value without one."""
    declared = {it.name: it for it in msgspec.structs.fields(act) if it.name not in omitted}
    if stray := next((it for it in asks if it not in declared), None):
        raise TypeError(f"The act `{name_of(act)}`: its form asks for `{stray}`, which is none of its fields.")
    made: dict[str, forms.Field] = {}
    for name in [*asks, *(it for it in declared if it not in asks)]:
        if kinds_of(act)[name] == "moments":
            made |= {it: fields.moment(label, required=it == "first") for it, label in _TIMES.items()}
        else:
            made[name] = _field(act, declared[name], asks.get(name, Ask()), fields)
    return made


def act_of(act: type[S], cleaned: Mapping[str, Any]) -> S:
    """Return the act, or the struct, with the values of a valid form. An optional value that is empty is None, or has
    its default."""
    values: dict[str, Any] = {}
    for field in msgspec.structs.fields(act):
        if kinds_of(act)[field.name] == "moments":
            values[field.name] = tuple(time for it in _TIMES if (time := cleaned[it]))
        elif field.name in cleaned:
            value = None if cleaned[field.name] == "" else cleaned[field.name]
            values |= {field.name: value} if field.required or value is not None else {}
    return read(act, values)


def _field(act: type[Struct], field: FieldInfo, ask: Ask, fields: Fields) -> forms.Field:
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
        f"The act `{name_of(act)}`: forms have no field for its `{field.name}` ({kind}), so add one to "
        "matches/html/declared_fields.py, or give the act a form of its own."
    )


def _plain(fields: Fields, field: FieldInfo, label: str, ask: Ask, more: dict[str, Any]) -> forms.Field | None:
    """Return the field for a choice, a yes or no, a number between two others, or several of them; None for anything
    else. A choice with words for "" can be left open."""
    if field.type is bool:
        return fields.tick(label, **more | {"required": False})
    if get_origin(field.type) is Literal:
        values = ["", *get_args(field.type)] if "" in ask.words else get_args(field.type)
        choices = [(it, gettext_lazy(ask.words.get(it, it.capitalize()))) for it in values]
        initial = {} if field.required or "" in ask.words else {"initial": field.default}
        return fields.literal(label, choices, **initial | more)
    for it in (field.type, *get_args(field.type)):
        for meta in getattr(it, "__metadata__", ()):
            if get_origin(it.__origin__) is tuple:
                (inner,) = get_args(it.__origin__)[0].__metadata__
                return fields.amounts(label, inner.ge, inner.le, meta.max_length, **more)
            initial = {} if field.required or field.default is None else {"initial": field.default}
            return fields.number(label, meta.ge, meta.le, **initial | more)
    return None
