"""Who is connected to a match, seats and watchers: a hint in Redis that expires by itself, so that no process need
clear up."""

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
"""A seat that hasn't been seen for so long is away."""
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
_ME = f"{os.getpid()}-{uuid4().hex[:8]}"


class Present(NamedTuple):
    """The seats that are connected, and how many people watch without one."""

    seats: tuple[int, ...] = ()
    watchers: int = 0


def of(match_id: UUID) -> Present:
    """Who is connected now, to any process; nobody without Redis."""
    return among([match_id]).get(match_id, Present())


def among(match_ids: Collection[UUID]) -> dict[UUID, Present]:
    """The same for several matches, in one round trip; empty without Redis."""
    since = time.time() - FRESH_SECONDS
    try:
        with _client().pipeline(transaction=False) as pipeline:
            for match_id in match_ids:
                pipeline.zrangebyscore(_key(match_id), since, "+inf")
            answers = pipeline.execute()
    except redis.RedisError as error:
        _complain(error)
        return {}
    return {match_id: _told(answer) for match_id, answer in zip(match_ids, answers, strict=True)}


def seat(number: int) -> str:
    """The name under which a seat's player is noted."""
    return str(number)


def watcher(name: str) -> str:
    """The name under which a spectator is noted; it is counted once, however many connections it has."""
    return f"w{name}"


def is_seat(name: str) -> bool:
    """Whether the name is a seat's."""
    return not name.startswith("w")


def note(here: Mapping[UUID, Collection[str]]) -> None:
    """These seats and watchers are connected to this process."""
    now = time.time()
    _write(lambda pipeline, match_id, whom: pipeline.zadd(_key(match_id), {_mark(it): now for it in whom}), here)


def forget(match_id: UUID, whom: str) -> None:
    """The last connection of a seat or watcher to this process is closed."""
    change({}, {match_id: [whom]})


def change(came: Mapping[UUID, Collection[str]], gone: Mapping[UUID, Collection[str]]) -> None:
    """These have come to this process, and the last connections of those have closed."""
    note(came)
    _write(lambda pipeline, match_id, whom: pipeline.zrem(_key(match_id), *map(_mark, whom)), gone)


def beat(here: Mapping[UUID, Collection[str]]) -> dict[UUID, Present]:
    """These are still connected to this process; gives who is connected to any, in one round trip; empty without Redis.

    One script, since a client takes longer to put a thousand commands together than the server to carry them out.
    """
    now = time.time()
    figures: list[str | float] = [now, now - FRESH_SECONDS, _KEPT_SECONDS]
    for whom in here.values():
        figures += [len(whom), *map(_mark, whom)]
    try:
        answers = _beat()(keys=list(map(_key, here)), args=figures)
    except redis.RedisError as error:
        _complain(error)
        return {}
    return {match_id: _told(answer) for match_id, answer in zip(here, answers, strict=True)}


def _write(act: object, here: Mapping[UUID, Collection[str]]) -> None:
    if not here:
        return
    try:
        with _client().pipeline(transaction=False) as pipeline:
            for match_id, whom in here.items():
                act(pipeline, match_id, whom)  # type: ignore[operator]
                pipeline.expire(_key(match_id), _KEPT_SECONDS)
            pipeline.execute()
    except redis.RedisError as error:
        _complain(error)


def _told(marks: Iterable[bytes]) -> Present:
    names = {mark.partition(b"@")[0].decode() for mark in marks}
    seats = tuple(sorted(int(name) for name in names if is_seat(name)))
    return Present(seats, len(names) - len(seats))


def _key(match_id: UUID) -> str:
    return f"croupier:presence:{match_id}"


def _mark(name: str) -> str:
    return f"{name}@{_ME}"


def _complain(error: Exception) -> None:
    if _throttle.is_due():
        log.warning("presence_unknown", error=type(error).__name__)


@cache
def _client() -> redis.Redis:
    return redis_client.connect(_SOCKET_SECONDS)


@cache
def _beat() -> Any:
    return _client().register_script(_BEAT)
