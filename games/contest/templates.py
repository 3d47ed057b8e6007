"""The template of a submission and of a gift: the form of the open round, with the bounds that hold for a seat."""

from collections.abc import Callable
from typing import Any, Final

from games.contest import forms
from games.contest.fields import AnyField, Cards, Player, Split
from games.contest.parts import Part
from games.contest.state import State, amounts_held
from games.kernel import Template


class FieldTemplate(Part, frozen=True, kw_only=True):
    """A field of a form; `items` are the seats or cards that it can name, if they aren't its options."""

    field: AnyField
    items: tuple[str | int, ...] = ()


class SubmitTemplate(Template, frozen=True, tag="submit"):
    """The fields of the form, all of which need a value."""

    round: int
    fields: tuple[FieldTemplate, ...]


class TransferTemplate(Template, frozen=True, tag="transfer"):
    """The players who can be given something, and the greatest amount of each balance."""

    to: tuple[int, ...]
    most: dict[str, int]


def submit(state: State, seat: int) -> SubmitTemplate:
    """Return the template of a seat's submission."""
    fields = (FieldTemplate(field=field, items=_items(state, seat, field)) for field in forms.fields_of(state, seat))
    return SubmitTemplate(state.number, tuple(fields))


def _items(state: State, seat: int, field: AnyField) -> tuple[str | int, ...]:
    match field:
        case Player():
            return forms.others_in(state, seat, field)
        case Cards(deck=deck):
            return state.cards_of(seat, deck)
        case Split():
            return forms.keys_of(state, seat, field)
        case _:
            return ()


def transfer(state: State, seat: int) -> TransferTemplate:
    """Return the template of a seat's gift; no amounts if its gifts of the round are used up."""
    others = tuple(other for other in state.playing if other != seat)
    if state.gifts[seat] >= state.round.gifts:
        return TransferTemplate(others, {})
    most = {
        it.name: (state.balances[it.name][seat] or 0) - amounts_held(state, seat, it.name)
        for it in state.options.content.balances
        if it.gives != "never"
    }
    return TransferTemplate(others, most)


TEMPLATES: Final[dict[type[Any], Callable[[State, int], Template]]] = {
    SubmitTemplate: submit,
    TransferTemplate: transfer,
}
