"""A cache of the most recently used folded matches, limited in bytes."""

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
"""Versions after which a fold's size is measured again; it changes little between them."""
_ENDS_KEPT = 50_000
_EARLIER_SHARE = 8
"""Folds of earlier versions may take one part in so many of the bytes."""


@dataclass(slots=True)
class _Kept:
    match_state: MatchState
    size: int
    measured_at: int


class _Folds:
    """Folds by match and witness. The least recently used are dropped while they take more than `most` bytes."""

    def __init__(self, most: int) -> None:
        self.size = 0
        self._most = most
        self._kept: OrderedDict[Key, _Kept] = OrderedDict()

    def get(self, key: Key) -> MatchState | None:
        kept = self._kept.get(key)
        return kept.match_state if kept else None

    def use(self, key: Key) -> MatchState | None:
        """Return the fold and mark it as the most recently used."""
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
    """By match and witness, the newest fold and the last used fold of an earlier version; `most` is in bytes."""

    def __init__(self, most: int) -> None:
        self._newest = _Folds(most - most // _EARLIER_SHARE)
        self._earlier = _Folds(most // _EARLIER_SHARE)
        self._ends: OrderedDict[UUID, Point] = OrderedDict()
        self._lock = Lock()

    @property
    def size(self) -> int:
        """The bytes in use."""
        return self._newest.size + self._earlier.size

    def get(self, key: Key) -> MatchState | None:
        """Return the newest fold."""
        with self._lock:
            return self._newest.use(key)

    def before(self, key: Key, version: int) -> MatchState | None:
        """Return the latest cached fold of at most this version."""
        with self._lock:
            folds_before = [
                it for folds in (self._newest, self._earlier) if (it := folds.get(key)) and it.version <= version
            ]
            return max(folds_before, key=lambda it: it.version, default=None)

    def end_of(self, match_id: UUID) -> Point | None:
        """Return the point at which a match's log ended when last read to its end, for whichever witness."""
        with self._lock:
            return self._ends.get(match_id)

    def put(self, key: Key, match_state: MatchState, *, is_end: bool = False) -> None:
        """Cache the newest fold; `is_end` if its log has just been read to the end."""
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
        """Cache the fold of an earlier version; a reader who steps through a match asks for the next one."""
        with self._lock:
            self._earlier.keep(key, match_state)

    def clear(self) -> None:
        with self._lock:
            self._newest.clear()
            self._earlier.clear()
            self._ends.clear()
