"""Run several coroutines of a connection until one of them ends."""

import asyncio
from collections.abc import Coroutine
from typing import Any


async def until_one_ends(*coroutines: Coroutine[Any, Any, object]) -> None:
    """Run the coroutines until one of them ends, then cancel the others. Raise the exception of the one that ended."""
    tasks = [asyncio.create_task(coroutine) for coroutine in coroutines]
    done: set[asyncio.Task[object]] = set()
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        # A task's exception refers to this frame. Without this, the cycle would keep the connection in memory until
        # the next garbage collection.
        done.clear()
        tasks.clear()
        del task
