"""The database from async code: a few threads that each hand their connection back after every act."""

from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from channels.db import DatabaseSyncToAsync

P = ParamSpec("P")
R = TypeVar("R")

# Commands wait at the doors of matches; who only looks must not wait behind them. Together they leave a part of the
# process's connections to REST.
_LOOKERS = ThreadPoolExecutor(2, thread_name_prefix="live-look")
_ACTORS = ThreadPoolExecutor(3, thread_name_prefix="live-act")


def looking(look: Callable[P, R]) -> Callable[P, Awaitable[R]]:
    """A read, made awaitable."""
    return DatabaseSyncToAsync(look, thread_sensitive=False, executor=_LOOKERS)  # type: ignore[no-any-return]


def acting(act: Callable[P, R]) -> Callable[P, Awaitable[R]]:
    """An act that may have to wait for a match's door, made awaitable."""
    return DatabaseSyncToAsync(act, thread_sensitive=False, executor=_ACTORS)  # type: ignore[no-any-return]
