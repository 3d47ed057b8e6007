"""The database from async code: a few threads that each close their database connection after every act."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import ParamSpec, TypeVar

from django.db import close_old_connections

P = ParamSpec("P")
R = TypeVar("R")

# Commands wait for matches' locks, and reads must not wait behind them. Together they leave a part of the process's
# database connections to REST.
_READERS = ThreadPoolExecutor(2, thread_name_prefix="live-look")
_TALKERS = ThreadPoolExecutor(1, thread_name_prefix="live-talk")
_ACTORS = ThreadPoolExecutor(3, thread_name_prefix="live-act")
_PREPARERS = ThreadPoolExecutor(2, thread_name_prefix="prepare")


def reading(read: Callable[P, R]) -> Callable[P, Awaitable[R]]:
    """Run a read in a thread."""
    return _awaitable(_READERS, read)


def acting(act: Callable[P, R]) -> Callable[P, Awaitable[R]]:
    """Run an act in a thread; it may wait for a match's lock."""
    return _awaitable(_ACTORS, act)


def preparing(read: Callable[P, R]) -> Callable[P, Awaitable[R]]:
    """Run a read that prepares a program's request in a thread; these threads are separate, so that requests with
    invalid tokens delay no socket."""
    return _awaitable(_PREPARERS, read)


def reading_talk(read: Callable[P, R]) -> Callable[P, Awaitable[R]]:
    """Run a read of talk in a thread of its own, so that reads of matches don't wait for it."""
    return _awaitable(_TALKERS, read)


def _awaitable(threads: ThreadPoolExecutor, act: Callable[P, R]) -> Callable[P, Awaitable[R]]:
    """Return the function as one that runs in these threads. asgiref's sync_to_async inspects function and caller at
    each call, which takes as long as a query."""

    def call(*args: P.args, **kwargs: P.kwargs) -> Awaitable[R]:
        carried_out = partial(copy_context().run, partial(_carry_out, act, *args, **kwargs))
        return asyncio.get_running_loop().run_in_executor(threads, carried_out)

    return call


def _carry_out(act: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    try:
        return act(*args, **kwargs)
    finally:
        close_old_connections()
