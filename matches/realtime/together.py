"""Several things that a connection does at once, until one of them is over."""

import asyncio
from collections.abc import Coroutine
from typing import Any


async def until_one_ends(*acts: Coroutine[Any, Any, object]) -> None:
    """Run these until one of them ends, then cancel the others; raises what that one has raised."""
    tasks = [asyncio.create_task(act) for act in acts]
    done: set[asyncio.Task[object]] = set()
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        # What a task has raised refers to this frame: with the task in it, nothing of the connection would be freed
        # before somebody looks for garbage.
        done.clear()
        tasks.clear()
        del task
