"""How Django answers requests here: each in one thread from its first middleware to its view, and threads are kept."""

from asyncio import Semaphore
from collections import deque
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from typing import Any

from asgiref.sync import ThreadSensitiveContext, sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from matches.http.talk_paths import is_talk

_IDLE_KEPT = 32
_TALK_AT_ONCE = 2
"""So many requests about talk have a thread at the same time. Where a machine is short of time, threads share it, and
each move would get one part among those of all speakers."""


class Handler(ASGIHandler):
    """Django's handler, but for its threads.

    As it comes, every middleware is called from the event loop and goes to the request's thread and back by itself, and
    that thread is a new one for each request, which is more work than a move.
    """

    def __init__(self) -> None:
        self._idle: deque[ThreadPoolExecutor] = deque()
        self._talk = Semaphore(_TALK_AT_ONCE)
        super().__init__()

    def load_middleware(self, is_async: bool = False) -> None:
        """The whole chain in the thread; a view that waits goes back to the loop for it."""
        super().load_middleware(is_async=False)
        self._middleware_chain = sync_to_async(self._middleware_chain)  # type: ignore[has-type]

    async def run_get_response(self, request: HttpRequest) -> HttpResponseBase:
        """Answer; what is about talk waits its turn here, with its body read, and without a thread of its own."""
        async with self._talk if is_talk(request.path_info) else nullcontext():
            response: HttpResponseBase = await super().run_get_response(request)
        return response

    async def __call__(
        self, scope: dict[str, Any], receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]
    ) -> None:
        """Answer one request, in the thread that was last free."""
        thread = self._idle.pop() if self._idle else ThreadPoolExecutor(1, thread_name_prefix="request")
        try:
            async with ThreadSensitiveContext(executor=thread):
                await self.handle(scope, receive, send)
        finally:
            if len(self._idle) < _IDLE_KEPT:
                self._idle.append(thread)
            else:
                thread.shutdown(wait=False)
