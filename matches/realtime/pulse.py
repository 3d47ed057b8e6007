"""What a process looks for by itself, whatever hints were lost: for a share of what is open, in few questions."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from math import ceil
from typing import Generic, NamedTuple, TypeVar
from uuid import UUID

from events.records import Point
from matches.http.authentication import Credential
from matches.reads import selectors
from matches.reads.selectors import Standing
from matches.realtime import access, talk_access, turn_alerts

T = TypeVar("T")

_SLOTS = 64
_IN_A_SHARE = 200
"""So many matches, connections or talks are looked after at once: a few milliseconds, however many there are."""


class Share(NamedTuple):
    """One of so many shares of what is open."""

    number: int
    shares: int


def shares_of(many: int) -> int:
    """In how many shares so many are looked after."""
    return min(max(1, ceil(many / _IN_A_SHARE)), _SLOTS)


class Shared(Generic[T]):
    """Things by an id each, to be gone through a share at a time; each belongs to one share, whenever it came."""

    def __init__(self) -> None:
        self._slots: list[dict[UUID, T]] = [{} for _ in range(_SLOTS)]

    def _slot(self, id: UUID) -> dict[UUID, T]:
        return self._slots[id.int % _SLOTS]

    def get(self, id: UUID) -> T | None:
        """The thing with this id, if there is one."""
        return self._slot(id).get(id)

    def __setitem__(self, id: UUID, thing: T) -> None:
        self._slot(id)[id] = thing

    def __delitem__(self, id: UUID) -> None:
        del self._slot(id)[id]

    def __contains__(self, id: UUID) -> bool:
        return id in self._slot(id)

    def __len__(self) -> int:
        return sum(map(len, self._slots))

    def of(self, share: Share) -> list[tuple[UUID, T]]:
        """Those of a share, with their ids."""
        return [it for slot in self._slots[share.number :: share.shares] for it in slot.items()]


@dataclass
class Asked:
    """What is open: who holds which credential, who watches which match, and what was seen of matches, of accounts with
    turn alerts and of talks."""

    held: Collection[tuple[UUID, Credential]] = ()
    watched: Collection[tuple[UUID | None, UUID]] = ()
    known: Mapping[UUID, Point] = field(default_factory=dict)
    alerted: Collection[UUID] = ()
    talks: Collection[UUID] = ()


class Found(NamedTuple):
    """What has changed meanwhile, or shouldn't go on."""

    refused: set[tuple[UUID, Credential]]
    unseen: set[tuple[UUID | None, UUID]]
    moved: list[Standing]
    lost: set[UUID]
    needed: dict[UUID, frozenset[tuple[UUID, int]]]
    signs: dict[UUID, str]


def look(asked: Asked) -> Found:
    """Ask the database, once for each kind."""
    moved, lost = selectors.moved_from(asked.known) if asked.known else ([], set())
    return Found(
        access.refused(asked.held) if asked.held else set(),
        access.unseen(asked.watched) if asked.watched else set(),
        moved,
        lost,
        turn_alerts.needed_by(asked.alerted) if asked.alerted else {},
        talk_access.signs(asked.talks) if asked.talks else {},
    )
