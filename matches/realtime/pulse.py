"""Queries of the pulse, which make up for lost hints: few statements, for one share of the open connections at a
time."""

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
"""Size of a share: so many matches, connections or talks are checked in a few milliseconds."""


class Share(NamedTuple):
    """One of `shares` equal shares."""

    number: int
    shares: int


def shares_of(count: int) -> int:
    """Return the number of shares for so many items."""
    return min(max(1, ceil(count / _IN_A_SHARE)), _SLOTS)


class Shared(Generic[T]):
    """A dict by id, iterated one share at a time; an id always belongs to the same share."""

    def __init__(self) -> None:
        self._slots: list[dict[UUID, T]] = [{} for _ in range(_SLOTS)]

    def _slot(self, id: UUID) -> dict[UUID, T]:
        return self._slots[id.int % _SLOTS]

    def get(self, id: UUID) -> T | None:
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
        """Return the items of a share, with their ids."""
        return [it for slot in self._slots[share.number :: share.shares] for it in slot.items()]


@dataclass
class OpenState:
    """The open connections of this process: held credentials, watched matches and their points, accounts with turn
    alerts, and talks."""

    held: Collection[tuple[UUID, Credential]] = ()
    watched: Collection[tuple[UUID | None, UUID]] = ()
    points: Mapping[UUID, Point] = field(default_factory=dict)
    alerted: Collection[UUID] = ()
    talks: Collection[UUID] = ()


class Changes(NamedTuple):
    """The results of a pulse: what has changed, and what must be closed."""

    refused: set[tuple[UUID, Credential]]
    unseen: set[tuple[UUID | None, UUID]]
    moved: list[Standing]
    lost: set[UUID]
    needed: dict[UUID, frozenset[tuple[UUID, int]]]
    signs: dict[UUID, str]


def look(state: OpenState) -> Changes:
    """Query the database, once for each kind."""
    moved, lost = selectors.moved_from(state.points) if state.points else ([], set())
    return Changes(
        access.refused(state.held) if state.held else set(),
        access.unseen(state.watched) if state.watched else set(),
        moved,
        lost,
        turn_alerts.needed_by(state.alerted) if state.alerted else {},
        talk_access.signs(state.talks) if state.talks else {},
    )
