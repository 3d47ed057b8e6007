"""Clients of the Redis that holds the hints: one server, or whichever the Sentinels say is the master now."""

import redis
from django.conf import settings
from redis import asyncio
from redis.backoff import NoBackoff
from redis.retry import Retry
from redis.sentinel import Sentinel


def connect(patience: float) -> redis.Redis:
    """A client that gives up after so many seconds, and keeps connections.

    It tries once more after an error, and not after a silence: a connection that was idle may have been closed by the
    other side.
    """
    timeouts = {"socket_timeout": patience, "socket_connect_timeout": patience}
    retry = Retry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,))
    known = settings.REDIS_SENTINELS
    if known is None:
        return redis.Redis.from_url(settings.REDIS_URL, retry=retry, **timeouts)
    sentinel = Sentinel(known.hosts, sentinel_kwargs={**known.own_login, **timeouts})
    master: redis.Redis = sentinel.master_for(known.name, retry=retry, **known.login, **timeouts)
    return master


def connect_for_loop() -> asyncio.Redis:
    """A client of an event loop, that waits for ever: whoever asks it has a patience of their own."""
    known = settings.REDIS_SENTINELS
    if known is None:
        return asyncio.Redis.from_url(settings.REDIS_URL, socket_timeout=None)
    sentinel = asyncio.Sentinel(known.hosts, sentinel_kwargs=known.own_login)
    master: asyncio.Redis = sentinel.master_for(known.name, **known.login, socket_timeout=None)
    return master
