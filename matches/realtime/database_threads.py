"""The database from async code: a few threads that each close their database connection after every act."""

from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from channels.db import DatabaseSyncToAsync

P = ParamSpec("P")
R = TypeVar("R")

# Commands wait for matches' locks, and reads must not wait behind them. Together they leave a part of the process's
# database connections to REST.
_LOOKERS = ThreadPoolExecutor(2, thread_name_prefix="live-look")
_TALKERS = ThreadPoolExecutor(1, thread_name_prefix="live-talk")
_ACTORS = ThreadPoolExecutor(3, thread_name_prefix="live-act")


def looking(look: Callable[P, R]) -> Callable[P, Awaitable[R]]:
    """A read, made awaitable."""
    return DatabaseSyncToAsync(look, thread_sensitive=False, executor=_LOOKERS)  # type: ignore[no-any-return]


def acting(act: Callable[P, R]) -> Callable[P, Awaitable[R]]:
    """An act that may have to wait for a match's lock, made awaitable."""
    return DatabaseSyncToAsync(act, thread_sensitive=False, executor=_ACTORS)  # type: ignore[no-any-return]


def listening(look: Callable[P, R]) -> Callable[P, Awaitable[R]]:
    """A read of what is said, made awaitable: no match's look waits behind it."""
    return DatabaseSyncToAsync(look, thread_sensitive=False, executor=_TALKERS)  # type: ignore[no-any-return]
