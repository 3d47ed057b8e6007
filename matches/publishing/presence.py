"""Presence in Redis: the connected seats and watchers of each match. Entries expire, so that those of a crashed process
disappear."""

import os
import time
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import redis
import structlog

from events.log_throttle import LogThrottle
from matches.publishing import redis_client

log = structlog.get_logger(__name__)

FRESH_SECONDS = 15.0
"""A seat or watcher without a heartbeat for so long is away."""
_KEPT_SECONDS = 60
_SOCKET_SECONDS = 0.5

_BEAT = """
local present, at = {}, 4
for number, key in ipairs(KEYS) do
    local many = tonumber(ARGV[at])
    local marks = {}
    for place = at + 1, at + many do
        marks[#marks + 1] = ARGV[1]
        marks[#marks + 1] = ARGV[place]
    end
    at = at + many + 1
    if many > 0 then
        -- Not all at once: a script can't unpack thousands.
        for first = 1, #marks, 1000 do
            redis.call('ZADD', key, unpack(marks, first, math.min(first + 999, #marks)))
        end
        redis.call('EXPIRE', key, ARGV[3])
    end
    present[number] = redis.call('ZRANGEBYSCORE', key, ARGV[2], '+inf')
end
return present
"""

_throttle = LogThrottle(seconds=60)
_PROCESS = f"{os.getpid()}-{uuid4().hex[:8]}"


class Present(NamedTuple):
    """The connected seats, and the number of watchers without a seat."""

    seats: tuple[int, ...] = ()
    watchers: int = 0


def present_at(match_id: UUID) -> Present:
    """Return the seats and watchers connected to any process; none without Redis."""
    return among([match_id]).get(match_id, Present())


def among(match_ids: Collection[UUID]) -> dict[UUID, Present]:
    """Return the seats and watchers of each of these matches, in one round trip; empty without Redis."""
    since = time.time() - FRESH_SECONDS
    try:
        with _client().pipeline(transaction=False) as pipeline:
            for match_id in match_ids:
                pipeline.zrangebyscore(_key(match_id), since, "+inf")
            answers = pipeline.execute()
    except redis.RedisError as error:
        _warn(error)
        return {}
    return {match_id: _present(answer) for match_id, answer in zip(match_ids, answers, strict=True)}


def seat(number: int) -> str:
    """Return the name of a seat's entry."""
    return str(number)


def watcher(name: str) -> str:
    """Return the name of a spectator's entry; a spectator counts once, however many connections they have."""
    return f"w{name}"


def is_seat(name: str) -> bool:
    """True if an entry's name is that of a seat."""
    return not name.startswith("w")


def note(here: Mapping[UUID, Collection[str]]) -> None:
    """Record that these seats and watchers are connected to this process."""
    now = time.time()
    _write(lambda pipeline, match_id, names: pipeline.zadd(_key(match_id), {_entry(it): now for it in names}), here)


def forget(match_id: UUID, name: str) -> None:
    """Remove a seat or watcher after its last connection to this process is closed."""
    change({}, {match_id: [name]})


def change(arrived: Mapping[UUID, Collection[str]], left: Mapping[UUID, Collection[str]]) -> None:
    """Record those who have connected to this process, and remove those whose last connection has closed."""
    note(arrived)
    _write(lambda pipeline, match_id, names: pipeline.zrem(_key(match_id), *map(_entry, names)), left)


def beat(here: Mapping[UUID, Collection[str]]) -> dict[UUID, Present]:
    """Record that these are still connected to this process, and return who is connected to any process; empty without
    Redis.

    It is one script in one round trip, because a client takes longer to build a thousand commands than the server to
    run them.
    """
    now = time.time()
    arguments: list[str | float] = [now, now - FRESH_SECONDS, _KEPT_SECONDS]
    for names in here.values():
        arguments += [len(names), *map(_entry, names)]
    try:
        answers = _beat_script()(keys=list(map(_key, here)), args=arguments)
    except redis.RedisError as error:
        _warn(error)
        return {}
    return {match_id: _present(answer) for match_id, answer in zip(here, answers, strict=True)}


def _write(add_command: object, names_by_match: Mapping[UUID, Collection[str]]) -> None:
    if not names_by_match:
        return
    try:
        with _client().pipeline(transaction=False) as pipeline:
            for match_id, names in names_by_match.items():
                add_command(pipeline, match_id, names)  # type: ignore[operator]
                pipeline.expire(_key(match_id), _KEPT_SECONDS)
            pipeline.execute()
    except redis.RedisError as error:
        _warn(error)


def _present(entries: Iterable[bytes]) -> Present:
    names = {entry.partition(b"@")[0].decode() for entry in entries}
    seats = tuple(sorted(int(name) for name in names if is_seat(name)))
    return Present(seats, len(names) - len(seats))


def _key(match_id: UUID) -> str:
    return f"croupier:presence:{match_id}"


def _entry(name: str) -> str:
    return f"{name}@{_PROCESS}"


def _warn(error: Exception) -> None:
    if _throttle.is_due():
        log.warning("presence_unknown", error=type(error).__name__)


@cache
def _client() -> redis.Redis:
    return redis_client.connect(_SOCKET_SECONDS)


@cache
def _beat_script() -> Any:
    return _client().register_script(_BEAT)
