"""Clients of the Redis that holds the hints: one server, or the current master by the Sentinels."""

import redis
from django.conf import settings
from redis import asyncio
from redis.backoff import NoBackoff
from redis.retry import Retry
from redis.sentinel import Sentinel


def connect(patience: float) -> redis.Redis:
    """Return a client that times out after so many seconds and keeps connections.

    It retries once after an error but not after a timeout: an idle connection may have been closed by the server.
    """
    timeouts = {"socket_timeout": patience, "socket_connect_timeout": patience}
    retry = Retry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,))
    sentinels = settings.REDIS_SENTINELS
    if sentinels is None:
        return redis.Redis.from_url(settings.REDIS_URL, retry=retry, **timeouts)
    sentinel = Sentinel(sentinels.hosts, sentinel_kwargs={**sentinels.own_login, **timeouts})
    master: redis.Redis = sentinel.master_for(sentinels.name, retry=retry, **sentinels.login, **timeouts)
    return master


def connect_for_loop() -> asyncio.Redis:
    """Return a client for an event loop without a timeout; callers set their own."""
    sentinels = settings.REDIS_SENTINELS
    if sentinels is None:
        return asyncio.Redis.from_url(settings.REDIS_URL, socket_timeout=None)
    sentinel = asyncio.Sentinel(sentinels.hosts, sentinel_kwargs=sentinels.own_login)
    master: asyncio.Redis = sentinel.master_for(sentinels.name, **sentinels.login, socket_timeout=None)
    return master
