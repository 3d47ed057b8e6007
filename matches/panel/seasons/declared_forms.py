"""Forms of the acts that are declared once: a field for each value, by its kind."""

from collections.abc import Callable
from typing import Any, Final

from django import forms

from matches.panel.seasons.forms import SeasonForm, chosen, reason_field, text_line
from matches.seasons.domain.declared import Kind, SeasonAct, kinds_of

_FIELDS: Final[dict[Kind, Callable[[], forms.Field]]] = {
    "player": lambda: chosen("Player"),
    "title": lambda: text_line("Title"),
    "reason": reason_field,
}


def form_of(act: type[SeasonAct]) -> type[SeasonForm]:
    """Return the form that asks for the act's values; raise TypeError for a kind of value without a field."""
    kinds = kinds_of(act)
    if missing := next((kind for kind in kinds.values() if kind not in _FIELDS), None):
        raise TypeError(f"The act `{act.name}`: the panel has no field for a {missing}, so give the act a form.")

    def prepare(form: SeasonForm) -> None:
        for name, kind in kinds.items():
            if kind == "player":
                form.choose(name, form.room.state.players, form.offer.of(name), form.room.call)

    namespace: dict[str, Any] = {name: _FIELDS[kind]() for name, kind in kinds.items()}
    return type(f"{act.__name__}Form", (SeasonForm,), {**namespace, "prepare": prepare, "__doc__": act.__doc__})
