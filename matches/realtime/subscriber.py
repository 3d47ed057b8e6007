"""Receives hints: from other processes over the channel layer, from this one directly."""

import asyncio
from collections.abc import Callable
from typing import Any

import structlog
from channels.layers import get_channel_layer

from events.log_throttle import LogThrottle
from matches.publishing import publisher

log = structlog.get_logger(__name__)

_PATIENCE_SECONDS = 2.0
_REST_SECONDS = 1.0


class Subscriber:
    """One channel per process, subscribed to the groups that its connections need."""

    def __init__(self, receive: Callable[[publisher.Hint], None]) -> None:
        self._receive = receive
        self._loop = asyncio.get_running_loop()
        self._wanted: set[str] = set()
        self._joined: set[str] = set()
        self._changed = asyncio.Event()
        self._throttle = LogThrottle(seconds=60)
        self._tasks: list[asyncio.Task[None]] = []
        publisher.listeners.append(self._receive_local)

    def start(self) -> None:
        """Receive until the process ends."""
        self._tasks.append(asyncio.create_task(self._listen(), name="subscriber"))

    def subscribe(self, group: str) -> None:
        self._wanted.add(group)
        self._changed.set()

    def unsubscribe(self, group: str) -> None:
        self._wanted.discard(group)
        self._changed.set()

    def _receive_local(self, group: str, hint: publisher.Hint) -> None:
        """Receive a hint of this process, from any thread."""
        if group in self._wanted and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._receive, hint)

    async def _listen(self) -> None:
        layer = get_channel_layer()
        while True:
            following = None
            try:
                async with asyncio.timeout(_PATIENCE_SECONDS):
                    channel = await layer.new_channel("hub.")
                following = asyncio.create_task(self._follow(layer, channel), name="groups")
                while True:
                    self._receive(await layer.receive(channel))
            except Exception as error:  # without hints the pulse still works
                self._warn(error)
                await asyncio.sleep(_REST_SECONDS)
            finally:
                if following is not None:
                    following.cancel()

    async def _follow(self, layer: Any, channel: str) -> None:
        """Keep the joined groups equal to the wanted ones."""
        self._joined.clear()
        while True:
            self._changed.clear()
            try:
                for group in self._wanted - self._joined:
                    async with asyncio.timeout(_PATIENCE_SECONDS):
                        await layer.group_add(group, channel)
                    self._joined.add(group)
                for group in self._joined - self._wanted:
                    self._joined.discard(group)
                    async with asyncio.timeout(_PATIENCE_SECONDS):
                        await layer.group_discard(group, channel)
            except Exception as error:
                self._warn(error)
                await asyncio.sleep(_REST_SECONDS)
            else:
                await self._changed.wait()

    def _warn(self, error: Exception) -> None:
        if self._throttle.is_due():
            log.warning("hints_unheard", error=type(error).__name__)
