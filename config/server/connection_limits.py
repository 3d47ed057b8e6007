"""How many connections an address, and all together, may hold at this process; those that wait for their client go
first."""

from collections import Counter
from collections.abc import Callable, Hashable

Cut = Callable[[], None]


class ConnectionLimits:
    """Counts open connections by address.

    One waits for its client while its request isn't whole, or between two requests. Where an address has all that it
    may hold, the one of its own that has waited longest makes room for the next; where all together do, that of the
    address with the most that wait. So nobody shuts the door by saying little, and none is cut whose answer is due.
    """

    def __init__(self, *, per_address: int, in_all: int) -> None:
        self.per_address = per_address
        self.in_all = in_all
        self._address_of: dict[Hashable, str] = {}
        self._held: Counter[str] = Counter()
        self._waiting: dict[str, dict[Hashable, Cut]] = {}

    def admit(self, connection: Hashable, address: str, *, capped: bool = True) -> bool:
        """Count a new connection in, once there is room; False where its address has only connections that are busy.

        One that isn't `capped` is a proxy's, which stands for many. Where all that there are are busy, it is let in
        nevertheless, to be told so.
        """
        if capped and self._held[address] >= self.per_address and not self._make_room(address):
            return False
        if len(self._address_of) >= self.in_all and self._waiting:
            self._make_room(max(self._waiting, key=lambda it: len(self._waiting[it])))
        self._address_of[connection] = address
        self._held[address] += 1
        return True

    def wait(self, connection: Hashable, cut: Cut) -> None:
        """It waits for its client from now on, unless it does already; `cut` is what ends it."""
        if (address := self._address_of.get(connection)) is not None:
            self._waiting.setdefault(address, {}).setdefault(connection, cut)

    def work(self, connection: Hashable) -> None:
        """Its client waits for it."""
        address = self._address_of.get(connection, "")
        if (waiting := self._waiting.get(address)) and waiting.pop(connection, None) and not waiting:
            del self._waiting[address]

    def leave(self, connection: Hashable) -> None:
        """It has ended."""
        self.work(connection)
        if (address := self._address_of.pop(connection, None)) is not None:
            self._held[address] -= 1
            if not self._held[address]:
                del self._held[address]

    def _make_room(self, address: str) -> bool:
        """End the connection of an address that has waited longest, if any waits."""
        if not (waiting := self._waiting.get(address)):
            return False
        connection, cut = next(iter(waiting.items()))
        self.leave(connection)
        cut()
        return True
