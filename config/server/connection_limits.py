"""Limits on the connections of a process: how many an address and all together may hold, and how much memory."""

from collections import Counter
from typing import Protocol


class Abortable(Protocol):
    """A connection that can be closed at once."""

    def abort(self) -> None:
        """Close it, and drop what it holds."""


class ConnectionLimits:
    """Counts open connections and the bytes that they hold, by address.

    A connection waits for its client while the server can do nothing for it. Where an address has all connections that
    it may hold, its own that has waited longest is closed for the next; where all together do, that of the address
    with the most that wait. A connection whose answer is due is never closed for another.

    Where all together hold too many bytes, the largest connection of the address that holds most is closed.
    """

    def __init__(self, *, per_address: int, in_all: int, most_bytes: int) -> None:
        self.per_address = per_address
        self.in_all = in_all
        self.most_bytes = most_bytes
        self.bytes_held = 0
        self._address_of: dict[Abortable, str] = {}
        self._count: Counter[str] = Counter()
        self._waiting: dict[str, dict[Abortable, None]] = {}
        self._bytes: dict[Abortable, int] = {}

    @property
    def is_full(self) -> bool:
        """True if there are more connections than there may be, and none of them could be closed."""
        return len(self._address_of) > self.in_all

    def admit(self, connection: Abortable, address: str, *, capped: bool = True) -> bool:
        """Count a new connection, closing another where there is no room; False if its address has only busy ones.

        One that isn't `capped` is a proxy's, which stands for many clients. Where all connections are busy, another is
        admitted nevertheless, so that its request can be answered with 503.
        """
        if capped and self._count[address] >= self.per_address and not self._make_room(address):
            return False
        if len(self._address_of) >= self.in_all and self._waiting:
            self._make_room(max(self._waiting, key=lambda it: len(self._waiting[it])))
        self._address_of[connection] = address
        self._count[address] += 1
        return True

    def wait(self, connection: Abortable) -> None:
        """Note that a connection waits for its client; one that does already keeps its place."""
        if (address := self._address_of.get(connection)) is not None:
            self._waiting.setdefault(address, {}).setdefault(connection)

    def work(self, connection: Abortable) -> None:
        """Note that the client of a connection waits for the server."""
        address = self._address_of.get(connection, "")
        if (waiting := self._waiting.get(address)) is not None:
            waiting.pop(connection, None)
            if not waiting:
                del self._waiting[address]

    def hold(self, connection: Abortable, size: int) -> None:
        """Note how many bytes a connection holds now, and close the largest while all hold too many."""
        if connection not in self._address_of:
            return
        self._release(connection)
        if size:
            self._bytes[connection] = size
            self.bytes_held += size
            while self.bytes_held > self.most_bytes:
                self._close(self._largest())

    def leave(self, connection: Abortable) -> None:
        """Forget a connection that has ended."""
        self.work(connection)
        self._release(connection)
        if (address := self._address_of.pop(connection, None)) is not None:
            self._count[address] -= 1
            if not self._count[address]:
                del self._count[address]

    def _release(self, connection: Abortable) -> None:
        self.bytes_held -= self._bytes.pop(connection, 0)

    def _largest(self) -> Abortable:
        by_address: Counter[str] = Counter()
        for connection, size in self._bytes.items():
            by_address[self._address_of[connection]] += size
        address = max(by_address, key=by_address.__getitem__)
        return max((it for it in self._bytes if self._address_of[it] == address), key=self._bytes.__getitem__)

    def _make_room(self, address: str) -> bool:
        """Close the connection of an address that has waited longest; False if none waits."""
        if not (waiting := self._waiting.get(address)):
            return False
        self._close(next(iter(waiting)))
        return True

    def _close(self, connection: Abortable) -> None:
        self.leave(connection)
        connection.abort()
