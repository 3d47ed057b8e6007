"""Who may look at a match: a seat by its number, the spectators, or the host who sees all; and the marks that name
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
    """The mark of a field: the name of the field that holds the seat, or HOST for nobody at the table."""

    whom: str | Watcher


EVERYONE = KnownTo("everyone")
Public = Annotated[T, EVERYONE]
"""`seat: Public[int]`: a field that everyone may see."""


def known_to(whom: str | Watcher) -> KnownTo:
    """`brick: Annotated[Brick | None, known_to("seat")]`: seen only by the seat that the field `seat` names.

    `known_to(HOST)` is for nobody at the table. Blanked, the field is None.
    """
    return KnownTo(whom)
