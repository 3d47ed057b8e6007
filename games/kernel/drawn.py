"""What a game says of its draws, so that they can be checked by one who doesn't have its rules."""

from dataclasses import dataclass, field
from typing import Any, Literal

Way = Literal["choice", "shuffle", "laid", "filled"]


@dataclass(frozen=True)
class Change:
    """An event of the type `event` takes an item away from what is drawn from, or gives it back.

    The item is what its `fields` hold, or each of `items`.
    """

    event: str
    fields: tuple[str, ...] = ()
    items: tuple[Any, ...] = ()
    takes: bool = True


@dataclass(frozen=True)
class Drawn:
    """One purpose of a game's draws, and the type of the event that tells what was drawn for it.

    The ways: `choice` is one choice and `shuffle` one shuffle, and the event's `fields` hold the result. `laid` are
    shuffles over marked spaces and `filled` shuffles that fill open groups, as `croupier_verify.py` describes
    them; `more` holds what these ask for. In a match whose options have the values in `last` of `more`, the result is
    the end of the field, and only the rules know what stands before it. A draw `for_seat` is made where the house acts
    in a seat's place; the values of fields in `where` say which events tell it. `items` are what is drawn from, in
    order, without what the `changes` have taken; None for a shuffle of which only the rules know that. `numbered` items
    lie in the order of their names and numbers, `name#7`.
    """

    purpose: str
    way: Way
    event: str
    fields: tuple[str, ...] = ()
    for_seat: bool = False
    where: dict[str, Any] = field(default_factory=dict)
    items: tuple[Any, ...] | None = None
    numbered: bool = False
    changes: tuple[Change, ...] = ()
    more: dict[str, Any] = field(default_factory=dict)
