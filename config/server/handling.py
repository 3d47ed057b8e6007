"""Django's request handling with one thread per request, from the first middleware to the view, and with reused
threads."""

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
"""The most talk requests that may use threads at the same time. Under load, all threads share the processor, and
moves would have to compete with every speaker."""


class Handler(ASGIHandler):
    """Django's handler with other threads.

    By default each middleware is called from the event loop and switches to the request's thread and back, and every
    request gets a new thread. That takes more work than a move.
    """

    def __init__(self) -> None:
        self._idle: deque[ThreadPoolExecutor] = deque()
        self._talk = Semaphore(_TALK_AT_ONCE)
        super().__init__()

    def load_middleware(self, is_async: bool = False) -> None:
        """Run the whole chain in the thread; an async view returns to the event loop."""
        super().load_middleware(is_async=False)
        self._middleware_chain = sync_to_async(self._middleware_chain)  # type: ignore[has-type]

    async def run_get_response(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request. A talk request waits for its turn here, with its body read and without a thread."""
        async with self._talk if is_talk(request.path_info) else nullcontext():
            response: HttpResponseBase = await super().run_get_response(request)
        return response

    async def __call__(
        self, scope: dict[str, Any], receive: Callable[[], Awaitable[Any]], send: Callable[[Any], Awaitable[None]]
    ) -> None:
        """Answer a request in the thread that became free last."""
        thread = self._idle.pop() if self._idle else ThreadPoolExecutor(1, thread_name_prefix="request")
        try:
            async with ThreadSensitiveContext(executor=thread):
                await self.handle(scope, receive, send)
        finally:
            if len(self._idle) < _IDLE_KEPT:
                self._idle.append(thread)
            else:
                thread.shutdown(wait=False)
