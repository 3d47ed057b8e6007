"""Limits of the sockets, streams and long polls that a process holds open: by account, by address and in total."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

import structlog
from django.conf import settings

from events.log_throttle import LogThrottle
from matches.http.addresses import site
from matches.http.problems import Problem

log = structlog.get_logger(__name__)

_TIMES_AS_MANY = 4
"""A connection of the address with the most gives way if that holds more than so many times what the new one would."""
_throttle = LogThrottle(seconds=60)


@dataclass(eq=False)
class LivePlace:
    """The place of one connection among all; `group` is `accounts`, `polls`, `strangers` or `followers`. `end` asks the
    connection to end, as its place is given to another."""

    group: str
    address: str
    end: Callable[[], None]
    site: str = field(init=False)

    def __post_init__(self) -> None:
        self.site = site(self.address)


class ConnectionSlots:
    """Counts connections by account and by address, and keeps all of them as places.

    If all places are taken, or all of a group, the newest connection of the address with the most is ended, if that
    address holds several times as many as the newcomer's; otherwise the newcomer is refused. So a few addresses can't
    exclude others for long, and no address can empty one that many share. The IPv6 networks of a site first count as
    one address, as one customer can have thousands. Addresses are those that a proxy forwards.
    """

    def __init__(self) -> None:
        self._taken: Counter[str] = Counter()
        self._live: dict[LivePlace, None] = {}

    def hold(self, kind: str, whose: str, held: ExitStack) -> None:
        """Count a connection until `held` closes; raise Problem `too_many_requests` at the limit."""
        if not self.take(kind, whose):
            detail = f"Too many connections from this {kind}; close one first."
            raise Problem("too_many_requests", detail, headers={"Retry-After": "5"})
        held.callback(self.give_back, kind, whose)

    def take(self, kind: str, whose: str) -> bool:
        """Count a connection of an `account` or `address`; return False at the limit."""
        name = f"{kind}:{whose}"
        if settings.LIMITS and self._taken[name] >= settings.LIVE_PLACES[kind]:
            return False
        self._taken[name] += 1
        return True

    def give_back(self, kind: str, whose: str) -> None:
        name = f"{kind}:{whose}"
        self._taken[name] -= 1
        if self._taken[name] <= 0:
            del self._taken[name]

    def count(self, group: str) -> int:
        """Return how many places of a group are taken."""
        return sum(place.group == group for place in self._live)

    def refuse_early(self, address: str, group: str = "") -> None:
        """Raise Problem `too_many_requests` if a newcomer of this address would get no place among all or in this
        group, before any work is done for it."""
        if settings.LIMITS:
            for places, most in self._places(group):
                if len(places) >= most and _giver(places, address) is None:
                    raise _full()

    def hold_place(self, place: LivePlace, held: ExitStack) -> None:
        """Hold a place until `held` closes or it is given to another; raise Problem `too_many_requests` if there is
        none."""
        if settings.LIMITS and not self._has_room(place):
            raise _full()
        self._live[place] = None
        held.callback(self._live.pop, place, None)

    def _has_room(self, place: LivePlace) -> bool:
        """True if there is a place in the group and among all, after another connection has made room if need be."""
        return all(
            len(places) < most or self._make_room(places, place.address) for places, most in self._places(place.group)
        )

    def _places(self, group: str) -> Iterator[tuple[list[LivePlace], int]]:
        """Yield the places of a group with a limit of its own, then all places, each with the limit."""
        if group in settings.LIVE_PLACES:
            yield [it for it in self._live if it.group == group], settings.LIVE_PLACES[group]
        yield list(self._live), settings.LIVE_PLACES["all"]

    def _make_room(self, places: list[LivePlace], address: str) -> bool:
        """End the newest of these connections whose address has to make room for this one; False if none has to."""
        giver = _giver(places, address)
        if giver is None:
            return False
        if _throttle.is_due(giver.address):
            log.warning("live_place_given_away", address=giver.address)
        del self._live[giver]
        giver.end()
        return True


def _giver(places: list[LivePlace], newcomer: str) -> LivePlace | None:
    """Return the newest place of the address that holds the most within the site that does, or else within the
    newcomer's own; None if neither the site nor the address holds many more than the newcomer's would."""
    own = site(newcomer)
    if largest := _largest(Counter(it.site for it in places), own):
        address, _ = Counter(it.address for it in places if it.site == largest).most_common(1)[0]
    else:
        address = _largest(Counter(it.address for it in places if it.site == own), newcomer)
    return next((it for it in reversed(places) if it.address == address), None)


def _largest(held: Counter[str], newcomer: str) -> str:
    """Return who holds the most; empty if that isn't many more than the newcomer would hold."""
    largest, count = max(held.items(), key=lambda item: item[1], default=("", 0))
    return largest if count > _TIMES_AS_MANY * (held[newcomer] + 1) else ""


def _full() -> Problem:
    detail = "All places for live connections are taken. Try again in a moment."
    return Problem("too_many_requests", detail, headers={"Retry-After": "5"})


_slots: WeakKeyDictionary[asyncio.AbstractEventLoop, ConnectionSlots] = WeakKeyDictionary()


def connection_slots() -> ConnectionSlots:
    """Return the places of the running event loop."""
    return _slots.setdefault(asyncio.get_running_loop(), ConnectionSlots())
