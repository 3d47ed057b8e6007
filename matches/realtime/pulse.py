"""The queries of the pulse, which find the changes whose hints were lost: one for each kind of change, for one share of
the open connections at a time."""

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
_SHARE_SIZE = 200
"""The usual size of a share: so many matches, connections or talks are checked in a few milliseconds."""


class Share(NamedTuple):
    """Share `number` of `shares`, counted from 0."""

    number: int
    shares: int


def shares_of(count: int) -> int:
    """Return the number of shares for so many items."""
    return min(max(1, ceil(count / _SHARE_SIZE)), _SLOTS)


class Shared(Generic[T]):
    """A dict by id that can be read one share at a time. An id's share changes only with the number of shares."""

    def __init__(self) -> None:
        self._slots: list[dict[UUID, T]] = [{} for _ in range(_SLOTS)]

    def _slot(self, id: UUID) -> dict[UUID, T]:
        return self._slots[id.int % _SLOTS]

    def get(self, id: UUID) -> T | None:
        return self._slot(id).get(id)

    def __setitem__(self, id: UUID, item: T) -> None:
        self._slot(id)[id] = item

    def __delitem__(self, id: UUID) -> None:
        del self._slot(id)[id]

    def __contains__(self, id: UUID) -> bool:
        return id in self._slot(id)

    def __len__(self) -> int:
        return sum(map(len, self._slots))

    def of(self, share: Share) -> list[tuple[UUID, T]]:
        """Return the items of a share, with their ids."""
        return [pair for slot in self._slots[share.number :: share.shares] for pair in slot.items()]


@dataclass
class OpenState:
    """One share of this process's open connections: held credentials, watched matches and their points, accounts with
    turn alerts, and talks."""

    held: Collection[tuple[UUID, Credential]] = ()
    watched: Collection[tuple[UUID | None, UUID]] = ()
    points: Mapping[UUID, Point] = field(default_factory=dict)
    alerted: Collection[UUID] = ()
    talks: Collection[UUID] = ()


class Changes(NamedTuple):
    """The results of a pulse.

    `refused` are the credentials that are no longer valid, by account. `unseen` are the matches that an account may no
    longer see (None for a stranger). `moved` are the matches with another newest point or an overdue flag, `lost` those
    that don't exist. `needed` are the matches that need an account, with their versions. `signs` are texts that change
    when a match's talk or the rights of its readers change.
    """

    refused: set[tuple[UUID, Credential]]
    unseen: set[tuple[UUID | None, UUID]]
    moved: list[Standing]
    lost: set[UUID]
    needed: dict[UUID, frozenset[tuple[UUID, int]]]
    signs: dict[UUID, str]


def load_changes(state: OpenState) -> Changes:
    """Return the changes that concern these connections, with one query for each kind of change."""
    moved, lost = selectors.moved_from(state.points) if state.points else ([], set())
    return Changes(
        access.refused(state.held) if state.held else set(),
        access.unseen(state.watched) if state.watched else set(),
        moved,
        lost,
        turn_alerts.needed_by(state.alerted) if state.alerted else {},
        talk_access.signs(state.talks) if state.talks else {},
    )
