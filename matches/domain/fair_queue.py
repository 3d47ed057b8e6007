"""The order in which the house serves matches: people first, and account by account."""

from collections import OrderedDict
from typing import NamedTuple
from uuid import UUID


class Work(NamedTuple):
    """A match that waits for the house; `owner` is whom its share is counted to, `alone` says that only bots play."""

    match_id: UUID
    owner: UUID
    alone: bool


class FairQueue:
    """Matches that wait, each once.

    Of matches with a person in them, and of those among bots alone, each owner's get a turn in a round, however many
    they are. Those with people go first; after `turns` of them one of the others has its turn, so that they go on too.
    """

    def __init__(self, *, turns: int = 4, most_alone: int = 10_000) -> None:
        self._turns, self._most_alone = turns, most_alone
        self._lines: dict[bool, _Line] = {False: _Line(), True: _Line()}
        self._waiting: dict[UUID, Work] = {}
        self._served: dict[UUID, Work | None] = {}
        self._in_a_row = 0

    def __len__(self) -> int:
        """How many wait; those that are being served don't."""
        return len(self._waiting)

    def put(self, work: Work) -> None:
        """Let a match wait; one that is being served does so once that is done. Of far too many among bots alone the
        last are dropped."""
        if work.match_id in self._served:
            self._served[work.match_id] = work
            return
        if (known := self._waiting.get(work.match_id)) == work:
            return
        if known:
            self._remove(known)
        elif work.alone and len(self._lines[True]) >= self._most_alone:
            return
        self._waiting[work.match_id] = work
        self._lines[work.alone].add(work)

    def take(self, *, alone: bool = True) -> Work | None:
        """The match whose turn it is, to be served and then `done`; without `alone` only one with a person in it."""
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
        """Whether `take` would give one."""
        return bool(len(self._lines[False]) or (alone and len(self._lines[True])))

    def done(self, work: Work, *, more: bool) -> None:
        """The match has been served; with `more`, or if it was put meanwhile, it waits again behind its owner's."""
        newest = self._served.pop(work.match_id)
        if newest or more:
            self.put(newest or work)

    def _remove(self, work: Work) -> None:
        del self._waiting[work.match_id]
        self._lines[work.alone].remove(work)


class _Line:
    """Owners by turns, each with their matches in the order in which they came."""

    def __init__(self) -> None:
        self._owners: OrderedDict[UUID, OrderedDict[UUID, Work]] = OrderedDict()
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, work: Work) -> None:
        self._owners.setdefault(work.owner, OrderedDict())[work.match_id] = work
        self._count += 1

    def remove(self, work: Work) -> None:
        theirs = self._owners[work.owner]
        del theirs[work.match_id]
        self._count -= 1
        if not theirs:
            del self._owners[work.owner]

    def next(self) -> Work:
        owner, theirs = next(iter(self._owners.items()))
        work = next(iter(theirs.values()))
        self._owners.move_to_end(owner)
        self.remove(work)
        return work
