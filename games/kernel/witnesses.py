"""Witnesses of a match: a seat by its number, the spectators, or the host, who sees everything; and the marks that name
them on an event's fields."""

from dataclasses import dataclass
from enum import Enum
from typing import Annotated, TypeVar

T = TypeVar("T")


class Watcher(Enum):
    """A witness without a seat."""

    SPECTATOR = "spectator"
    HOST = "host"

    def __repr__(self) -> str:
        return self.name


SPECTATOR = Watcher.SPECTATOR
HOST = Watcher.HOST

Witness = int | Watcher


@dataclass(frozen=True)
class KnownTo:
    """The audience of a field: the name of the field that holds its seat or seats, or HOST for nobody at the table."""

    whom: str | Watcher


EVERYONE = KnownTo("everyone")
Public = Annotated[T, EVERYONE]
"""A field that everyone may see: `seat: Public[int]`."""


def known_to(whom: str | Watcher) -> KnownTo:
    """Declare a secret field: `brick: Annotated[Brick | None, known_to("seat")]` is for the seat in the field `seat`.

    `known_to("seats")` is for all seats in a field of type `tuple[int, ...]`, `known_to(HOST)` for nobody at the
    table. The blanked field is None.
    """
    return KnownTo(whom)
