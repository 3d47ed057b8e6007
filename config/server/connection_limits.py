"""Limits on the connections of a process: per address, in total, and in memory."""

from collections import Counter
from typing import Protocol


class Abortable(Protocol):
    """A connection that can be closed at once."""

    def abort(self) -> None:
        """Close the connection and drop its data."""


class ConnectionLimits:
    """Counts open connections and their bytes, by address.

    A connection waits for its client while the server can do nothing for it. If an address has reached its limit, the
    one of its connections that has waited longest is closed for a new one. If the total is reached, the connection to
    close is one of the address with the most waiting connections. A connection whose response is due is never closed
    for another.

    If all connections together hold too many bytes, the largest one of the address that holds most is closed.
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
        """True if there are more connections than allowed and none of them could be closed."""
        return len(self._address_of) > self.in_all

    def admit(self, connection: Abortable, address: str, *, capped: bool = True) -> bool:
        """Count a new connection, closing another if there is no room; return False if its address has only busy ones.

        A connection that isn't `capped` is a proxy's and serves many clients. If all connections are busy, the new one
        is admitted nevertheless, so that its request can be answered with 503.
        """
        if capped and self._count[address] >= self.per_address and not self._make_room(address):
            return False
        if len(self._address_of) >= self.in_all and self._waiting:
            self._make_room(max(self._waiting, key=lambda it: len(self._waiting[it])))
        self._address_of[connection] = address
        self._count[address] += 1
        return True

    def wait(self, connection: Abortable) -> None:
        """Record that a connection waits for its client; one that already waits keeps its place."""
        if (address := self._address_of.get(connection)) is not None:
            self._waiting.setdefault(address, {}).setdefault(connection)

    def work(self, connection: Abortable) -> None:
        """Record that the client of a connection waits for the server."""
        address = self._address_of.get(connection, "")
        if (waiting := self._waiting.get(address)) is not None:
            waiting.pop(connection, None)
            if not waiting:
                del self._waiting[address]

    def hold(self, connection: Abortable, size: int) -> None:
        """Record the bytes that a connection holds, and close the largest connections while the total is too high."""
        if connection not in self._address_of:
            return
        self._release(connection)
        if size:
            self._bytes[connection] = size
            self.bytes_held += size
            while self.bytes_held > self.most_bytes:
                self._close(self._largest())

    def remove(self, connection: Abortable) -> None:
        """Remove a connection that has ended."""
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
        """Close the connection of an address that has waited longest; return False if none waits."""
        if not (waiting := self._waiting.get(address)):
            return False
        self._close(next(iter(waiting)))
        return True

    def _close(self, connection: Abortable) -> None:
        self.remove(connection)
        connection.abort()
