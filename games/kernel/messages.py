"""Commands, events, options and states: frozen values, tagged with their snake_case name in `type`."""

import re
from functools import cache
from typing import Any, TypeVar

from msgspec import NODEFAULT, Struct
from msgspec.structs import fields, force_setattr, replace

from games.kernel.witnesses import Public


def snake_case(name: str) -> str:
    """`BrickPlaced` -> `brick_placed`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


class Command(Struct, frozen=True, tag=snake_case, tag_field="type", omit_defaults=True, forbid_unknown_fields=True):
    """What a seat asks for: imperative, the player's word."""


class Template(Struct, frozen=True, tag_field="type"):
    """What a command may hold, for one of which there are too many ways to list; its tag is the command's name."""


class Event(Struct, frozen=True, tag=snake_case, tag_field="type", omit_defaults=True):
    """What has happened: past tense, one fact, recorded for ever. Every field says who may see it."""


class DefaultedEvent(Event, frozen=True):
    """An event that is told in one way, whoever wrote its defaults out.

    msgspec leaves a field out where it holds the default itself, not where it holds an equal value: for None, flags,
    small integers and () that is one and the same; an event with any other default (3600, "all") is one of these.
    """

    def __post_init__(self) -> None:
        for name, default in _defaults(type(self)):
            if getattr(self, name) == default:
                force_setattr(self, name, default)


@cache
def _defaults(kind: type[DefaultedEvent]) -> tuple[tuple[str, Any], ...]:
    """The fields that have a default, with it; msgspec works them out anew each time, from the class's annotations."""
    return tuple((field.name, field.default) for field in fields(kind) if field.default is not NODEFAULT)


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an organiser may set for a match; every default is playable.

    A game's `__post_init__` raises ValueError with a sentence for values that can't be played.
    """


class State(Struct, frozen=True, kw_only=True):
    """What all games' states hold: the table, and who has left it (in the order they resigned)."""

    seats: int
    priority: int
    resigned: tuple[int, ...] = ()


S = TypeVar("S", bound=State)


class Resign(Command, frozen=True):
    """Give the match up; legal at any time while it runs."""


class Resigned(Event, frozen=True):
    """A seat has given the match up."""

    seat: Public[int]


class FlagFallen(Event, frozen=True):
    """A seat's time ran out on the clock named; what follows in the batch is the consequence."""

    seat: Public[int]
    clock: Public[str]


def evolve_kernel(state: S, event: Event) -> S:
    """The kernel's own events, for the last case of a game's `evolve`; others leave the state as it is."""
    if isinstance(event, Resigned):
        return replace(state, resigned=(*state.resigned, event.seat))
    return state


def type_name(message_class: type[Command] | type[Event] | type[Template]) -> str:
    """The name that stands in `type`, such as `brick_placed`."""
    return str(message_class.__struct_config__.tag)
