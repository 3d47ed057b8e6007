"""Commands, events, options and states: frozen values, tagged with their snake_case name in `type`."""

import re
from functools import cache
from typing import Any, TypeVar

from msgspec import NODEFAULT, Struct
from msgspec.structs import fields, force_setattr, replace

from games.kernel.witnesses import Public


def snake_case(name: str) -> str:
    """Convert `BrickPlaced` to `brick_placed`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


class Command(Struct, frozen=True, tag=snake_case, tag_field="type", omit_defaults=True, forbid_unknown_fields=True):
    """A request of a seat or of the host, named in the imperative with the player's word."""


class Template(Struct, frozen=True, tag_field="type"):
    """The values that a command may hold, if there are too many commands to list; its tag is the command's name."""


class Event(Struct, frozen=True, tag=snake_case, tag_field="type", omit_defaults=True):
    """A recorded fact, named in the past tense. Every field declares who may see it."""


class DefaultedEvent(Event, frozen=True):
    """An event with one encoding, whether or not its default values were passed explicitly.

    msgspec omits a field that is identical to its default, but not one that is only equal to it. For None, booleans,
    small integers and () there is no difference; an event with any other default (3600, "all") must derive from this.
    """

    def __post_init__(self) -> None:
        for name, default in _defaults(type(self)):
            if getattr(self, name) == default:
                force_setattr(self, name, default)


@cache
def _defaults(kind: type[DefaultedEvent]) -> tuple[tuple[str, Any], ...]:
    """Return the fields that have a default, with the default; cached, as msgspec computes them from annotations."""
    return tuple((field.name, field.default) for field in fields(kind) if field.default is not NODEFAULT)


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of a match; every default is playable.

    A game's `__post_init__` raises ValueError with a sentence if the values can't be played.
    """


class State(Struct, frozen=True, kw_only=True):
    """The fields of all games' states; `resigned` are seats in the order in which they resigned."""

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


class HostFlagFallen(Event, frozen=True):
    """The host's time ran out on the clock named; what follows in the batch is the consequence."""

    clock: Public[str]


def evolve_kernel(state: S, event: Event) -> S:
    """Apply a kernel event; return the state unchanged for others. The last case of a game's `evolve`."""
    if isinstance(event, Resigned):
        return replace(state, resigned=(*state.resigned, event.seat))
    return state


def type_name(message_class: type[Command] | type[Event] | type[Template]) -> str:
    """Return the value of the field `type`, such as `brick_placed`."""
    return str(message_class.__struct_config__.tag)
