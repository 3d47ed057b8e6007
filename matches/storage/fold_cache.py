"""The matches used last, folded: as many as fit into so many bytes."""

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from uuid import UUID

from events.records import Point
from games.kernel import Witness
from matches.domain.match_state import MatchState
from matches.storage.sizes import size_of

Key = tuple[UUID, Witness]

_MEASURED_EVERY = 50
"""After how many versions a fold is measured anew; in between it grows by little."""
_ENDS_KEPT = 50_000
_EARLIER_SHARE = 8
"""Folds of earlier versions take at most this part of the bytes."""


@dataclass(slots=True)
class _Kept:
    match_state: MatchState
    size: int
    measured_at: int


class _Folds:
    """Folds by match and witness; those used least recently go where there are more bytes than `most`."""

    def __init__(self, most: int) -> None:
        self.size = 0
        self._most = most
        self._kept: OrderedDict[Key, _Kept] = OrderedDict()

    def get(self, key: Key) -> MatchState | None:
        kept = self._kept.get(key)
        return kept.match_state if kept else None

    def use(self, key: Key) -> MatchState | None:
        """The fold, which counts as used last now."""
        if key in self._kept:
            self._kept.move_to_end(key)
        return self.get(key)

    def keep(self, key: Key, match_state: MatchState) -> None:
        kept = self._kept.get(key)
        if kept is not None and 0 <= match_state.version - kept.measured_at < _MEASURED_EVERY:
            kept.match_state = match_state
        else:
            self._weigh(key, kept, match_state)
        self._kept.move_to_end(key)
        while self.size > self._most and len(self._kept) > 1:
            self.size -= self._kept.popitem(last=False)[1].size

    def _weigh(self, key: Key, before: _Kept | None, match_state: MatchState) -> None:
        size = size_of(match_state)
        self.size += size - (before.size if before else 0)
        self._kept[key] = _Kept(match_state, size, match_state.version)

    def clear(self) -> None:
        self._kept.clear()
        self.size = 0


class FoldCache:
    """By match and witness the newest fold, and the fold of an earlier version used last; `most` is in bytes."""

    def __init__(self, most: int) -> None:
        self._newest = _Folds(most - most // _EARLIER_SHARE)
        self._earlier = _Folds(most // _EARLIER_SHARE)
        self._ends: OrderedDict[UUID, Point] = OrderedDict()
        self._lock = Lock()

    @property
    def size(self) -> int:
        """The bytes that are taken now."""
        return self._newest.size + self._earlier.size

    def get(self, key: Key) -> MatchState | None:
        """The newest fold."""
        with self._lock:
            return self._newest.use(key)

    def before(self, key: Key, version: int) -> MatchState | None:
        """The latest fold of this version or one before it."""
        with self._lock:
            found = [it for folds in (self._newest, self._earlier) if (it := folds.get(key)) and it.version <= version]
            return max(found, key=lambda it: it.version, default=None)

    def end_of(self, match_id: UUID) -> Point | None:
        """Where a match's log ended when it was last read to its end, whoever it was read for."""
        with self._lock:
            return self._ends.get(match_id)

    def put(self, key: Key, match_state: MatchState, *, is_end: bool = False) -> None:
        """Keep the newest fold; `is_end` where its log has just been read to the end."""
        with self._lock:
            newest = self._newest.get(key)
            if newest is None or newest.version <= match_state.version:
                self._newest.keep(key, match_state)
            end = self._ends.get(key[0])
            if is_end and (end is None or end.version <= match_state.version):
                self._ends[key[0]] = Point(match_state.version, match_state.hash)
                self._ends.move_to_end(key[0])
                if len(self._ends) > _ENDS_KEPT:
                    self._ends.popitem(last=False)

    def put_earlier(self, key: Key, match_state: MatchState) -> None:
        """Keep the fold of an earlier version: a reader who goes step by step asks for the next one."""
        with self._lock:
            self._earlier.keep(key, match_state)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._newest.clear()
            self._earlier.clear()
            self._ends.clear()
