"""Which seats of a match are connected: a hint in Redis that expires by itself, so that no process need clear up."""

import os
import time
from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime
from functools import cache
from uuid import UUID, uuid4

import redis
import structlog
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

log = structlog.get_logger(__name__)

FRESH_SECONDS = 15.0
"""A seat that hasn't been seen for so long is away."""
_KEPT_SECONDS = 60
_SOCKET_SECONDS = 0.5
_SECONDS_BETWEEN_COMPLAINTS = 60

_ME = f"{os.getpid()}-{uuid4().hex[:8]}"


def of(match_id: UUID) -> dict[int, datetime]:
    """The seats that are connected now, in any process, each with when it was last seen; empty without Redis."""
    return among([match_id]).get(match_id, {})


def among(match_ids: Collection[UUID]) -> dict[UUID, dict[int, datetime]]:
    """The same for several matches, in one round trip."""
    since = time.time() - FRESH_SECONDS
    try:
        with _client().pipeline(transaction=False) as pipeline:
            for match_id in match_ids:
                pipeline.zrangebyscore(_key(match_id), since, "+inf", withscores=True)
            answers = pipeline.execute()
    except redis.RedisError as error:
        _complain(error)
        return {}
    return {match_id: _newest(answer) for match_id, answer in zip(match_ids, answers, strict=True)}


def note(here: Mapping[UUID, Collection[int]]) -> None:
    """These seats are connected to this process."""
    now = time.time()
    _write(
        lambda pipeline, match_id, seats: pipeline.zadd(_key(match_id), {_mark(seat): now for seat in seats}), here
    )


def forget(match_id: UUID, seat: int) -> None:
    """The seat's last connection to this process is closed."""
    _write(lambda pipeline, match_id, seats: pipeline.zrem(_key(match_id), *map(_mark, seats)), {match_id: [seat]})


def _write(act: object, seats: Mapping[UUID, Collection[int]]) -> None:
    try:
        with _client().pipeline(transaction=False) as pipeline:
            for match_id, numbers in seats.items():
                act(pipeline, match_id, numbers)  # type: ignore[operator]
                pipeline.expire(_key(match_id), _KEPT_SECONDS)
            pipeline.execute()
    except redis.RedisError as error:
        _complain(error)


def _newest(answer: Iterable[tuple[bytes, float]]) -> dict[int, datetime]:
    seen: dict[int, datetime] = {}
    for mark, score in answer:
        seat, at = int(mark.partition(b"@")[0]), datetime.fromtimestamp(score, UTC)
        seen[seat] = max(at, seen.get(seat, at))
    return dict(sorted(seen.items()))


def _key(match_id: UUID) -> str:
    return f"croupier:presence:{match_id}"


def _mark(seat: int) -> str:
    return f"{seat}@{_ME}"


_quiet_until = 0.0


def _complain(error: Exception) -> None:
    global _quiet_until
    if time.monotonic() >= _quiet_until:
        _quiet_until = time.monotonic() + _SECONDS_BETWEEN_COMPLAINTS
        log.warning("presence_unknown", error=type(error).__name__)


@cache
def _client() -> redis.Redis:
    return redis.Redis.from_url(
        settings.REDIS_URL,
        socket_timeout=_SOCKET_SECONDS,
        socket_connect_timeout=_SOCKET_SECONDS,
        retry=Retry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,)),
    )
