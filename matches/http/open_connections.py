"""How many connections one account and one address may hold open at this process: sockets, streams and long polls."""

import asyncio
from collections import Counter
from contextlib import ExitStack
from weakref import WeakKeyDictionary

from django.conf import settings

from matches.http.problems import Problem


class ConnectionSlots:
    """Counts connections by account and by address."""

    def __init__(self) -> None:
        self._taken: Counter[str] = Counter()

    def hold(self, kind: str, whose: str, held: ExitStack) -> None:
        """One more until `held` closes; raises Problem `too_many_requests` where there are enough."""
        if not self.take(kind, whose):
            detail = f"Too many connections from this {kind}; close one first."
            raise Problem("too_many_requests", detail, headers={"Retry-After": "5"})
        held.callback(self.give_back, kind, whose)

    def take(self, kind: str, whose: str) -> bool:
        """One more for `account` or `address`; False where there are enough."""
        name = f"{kind}:{whose}"
        if settings.LIMITS and self._taken[name] >= settings.LIVE_PLACES[kind]:
            return False
        self._taken[name] += 1
        return True

    def give_back(self, kind: str, whose: str) -> None:
        """One has closed."""
        name = f"{kind}:{whose}"
        self._taken[name] -= 1
        if self._taken[name] <= 0:
            del self._taken[name]


_slots: WeakKeyDictionary[asyncio.AbstractEventLoop, ConnectionSlots] = WeakKeyDictionary()


def connection_slots() -> ConnectionSlots:
    """The places of this process, that is of its event loop."""
    return _slots.setdefault(asyncio.get_running_loop(), ConnectionSlots())
