"""Declarations of a game's draws, so that a verifier without the game's rules can check them."""

from dataclasses import dataclass, field
from typing import Any, Literal

Way = Literal["choice", "shuffle", "laid", "filled"]


@dataclass(frozen=True)
class Change:
    """An event of type `event` removes items from the ones drawn from, or returns them (`takes` is False).

    The item is the value of the event's `fields`, or each of `items`.
    """

    event: str
    fields: tuple[str, ...] = ()
    items: tuple[Any, ...] = ()
    takes: bool = True


@dataclass(frozen=True)
class Drawn:
    """One purpose of a game's draws, and the type of the event that records the result.

    `way`: `choice` is one choice and `shuffle` one shuffle, and the event's `fields` hold the result. `laid` are
    shuffles over marked spaces and `filled` are shuffles that fill open groups, as `croupier_verify.py` describes
    them; `more` holds their parameters. In a match whose options have the values in `last` of `more`, the result is
    the end of the field, and only the rules know the part before it. A draw `for_seat` is made where the house acts
    for a seat; the field values in `where` select the events that record it. `items` are all items in order, from
    which earlier `changes` are subtracted; None for a shuffle whose items only the rules know. `numbered` items are
    ordered by name and number, `name#7`.
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
