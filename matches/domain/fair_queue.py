"""The order in which programs' acts of matches are served: matches with people first, and fairly between accounts."""

from collections import OrderedDict
from typing import NamedTuple
from uuid import UUID


class Work(NamedTuple):
    """A match that waits for a program; `owner` is the account whose share it counts to, `alone` is true if only bots
    play."""

    match_id: UUID
    owner: UUID
    alone: bool


class FairQueue:
    """A queue in which each match waits at most once.

    Matches with people and matches among bots have separate lines. In each line the owners take turns, however many
    matches they have. Matches with people go first; after `turns` of them one match among bots is served, so that these
    continue too.
    """

    def __init__(self, *, turns: int = 4, most_alone: int = 10_000) -> None:
        self._turns, self._most_alone = turns, most_alone
        self._lines: dict[bool, _Line] = {False: _Line(), True: _Line()}
        self._waiting: dict[UUID, Work] = {}
        self._served: dict[UUID, Work | None] = {}
        self._in_a_row = 0

    def __len__(self) -> int:
        """Return how many wait, without those being served."""
        return len(self._waiting)

    def put(self, work: Work) -> None:
        """Add a match; one that is being served is added when that is done. Matches among bots above the limit are
        dropped."""
        if work.match_id in self._served:
            self._served[work.match_id] = work
            return
        if (queued := self._waiting.get(work.match_id)) == work:
            return
        if queued:
            self._remove(queued)
        elif work.alone and len(self._lines[True]) >= self._most_alone:
            return
        self._waiting[work.match_id] = work
        self._lines[work.alone].add(work)

    def take(self, *, alone: bool = True) -> Work | None:
        """Return the next match, to be served and then marked `done`; without `alone` only one with people."""
        people, bots = self._lines[False], self._lines[True]
        is_bots_turn = alone and len(bots) and (not len(people) or self._in_a_row >= self._turns)
        if not is_bots_turn and not len(people):
            return None
        self._in_a_row = 0 if is_bots_turn else min(self._in_a_row + 1, self._turns)
        work = (bots if is_bots_turn else people).next()
        del self._waiting[work.match_id]
        self._served[work.match_id] = None
        return work

    def has_work(self, *, alone: bool = True) -> bool:
        """True if `take` would return a match."""
        return bool(len(self._lines[False]) or (alone and len(self._lines[True])))

    def done(self, work: Work, *, more: bool) -> None:
        """Note that the match has been served; with `more`, or if it was put meanwhile, it waits again behind its
        owner's other matches."""
        newest = self._served.pop(work.match_id)
        if newest or more:
            self.put(newest or work)

    def _remove(self, work: Work) -> None:
        del self._waiting[work.match_id]
        self._lines[work.alone].remove(work)


class _Line:
    """Owners in turn, each with their matches in order of arrival."""

    def __init__(self) -> None:
        self._owners: OrderedDict[UUID, OrderedDict[UUID, Work]] = OrderedDict()
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, work: Work) -> None:
        self._owners.setdefault(work.owner, OrderedDict())[work.match_id] = work
        self._count += 1

    def remove(self, work: Work) -> None:
        matches_of_owner = self._owners[work.owner]
        del matches_of_owner[work.match_id]
        self._count -= 1
        if not matches_of_owner:
            del self._owners[work.owner]

    def next(self) -> Work:
        owner, matches_of_owner = next(iter(self._owners.items()))
        work = next(iter(matches_of_owner.values()))
        self._owners.move_to_end(owner)
        self.remove(work)
        return work
