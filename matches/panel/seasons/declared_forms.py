"""Forms made from the declarations of acts: a field for each value, by its kind."""

from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

import msgspec

from games import catalogue
from matches.domain.declared import Ask, Kind, is_optional, kinds_of, labels_of
from matches.html.declared_fields import act_of, fields_of
from matches.html.moments import MomentField
from matches.panel.fields import FIELDS
from matches.panel.seasons.forms import SeasonForm, match_label
from matches.panel.seasons.room import SeasonRoom
from matches.seasons import joining
from matches.seasons.domain.declared import SeasonAct


class _Choices(NamedTuple):
    """All possible values, and their names."""

    values: Iterable[str]
    call: Callable[[str], str]


def form_of(act: type[SeasonAct]) -> type[SeasonForm]:
    """Return the form that asks for the act's values; raise TypeError for a value without a field."""
    asks = {} if act.dialog is None else act.dialog.asks
    fields = {it.name: it for it in msgspec.structs.fields(act)}
    kinds = kinds_of(act)

    def prepare(form: SeasonForm) -> None:
        for it in form.fields.values():
            if isinstance(it, MomentField):
                it.in_zone(form.room.account.time_zone)
        for name, field in fields.items():
            none = asks.get(name, Ask()).words.get("", "None")
            choices = _choices(form.room, kinds[name], field.type)
            if choices is not None:
                _offer(form, name, choices, none if is_optional(field.type) else None)

    def to_act(form: SeasonForm) -> SeasonAct:
        return act_of(act, form.values())

    methods = {"prepare": prepare, "to_act": to_act, "__doc__": act.__doc__}
    namespace: dict[str, Any] = {**fields_of(act, FIELDS, asks), **methods}
    return type(f"{act.__name__}Form", (SeasonForm,), namespace)


def _offer(form: SeasonForm, name: str, choices: _Choices, none: str | None) -> None:
    """Offer what the decider accepts; where the value is optional everything, and `none` first."""
    values, call = choices
    if none is None:
        form.choose(name, values, [str(it) for it in form.offer.values(name)], call)
    else:
        form.fields[name].choices = [("", none), *((it, call(it)) for it in values)]


def _choices(room: SeasonRoom, kind: Kind, declared: Any) -> _Choices | None:
    """Return the choices of a kind or type; None for a value that isn't chosen."""
    if kind == "numbered":
        labels = {str(number): label for number, label in labels_of(declared)(room.state, room.call).items()}
        return _Choices(labels, labels.__getitem__)
    return _CHOICES[kind](room) if kind in _CHOICES else None


def _links(room: SeasonRoom) -> _Choices:
    labels = joining.labels_of(room.row.id)
    called = {str(number): f"Link {number}, for {label}" for number, label in labels.items()}
    return _Choices(map(str, room.state.intake.links), lambda it: called.get(it, f"Link {it}"))


_CHOICES: Final[dict[Kind, Callable[[SeasonRoom], _Choices]]] = {
    "player": lambda room: _Choices(room.state.players, room.call),
    "account": lambda room: _Choices(room.state.staff, room.call),
    "match": lambda room: _Choices(reversed(room.state.matches), lambda it: match_label(room, it)),
    "link": _links,
    "game": lambda room: _Choices(room.state.options.pool, lambda it: catalogue[it].title),
}
"""The values of each kind in a season; the newest match first."""
