"""Waiting for a condition, never for luck."""

from collections.abc import Callable
from time import monotonic, sleep
from typing import Any


def wait_until(holds: Callable[[], Any], seconds: float = 10.0) -> Any:
    """What `holds` gives once it is true; AssertionError after so many seconds."""
    deadline = monotonic() + seconds
    while not (held := holds()):
        assert monotonic() < deadline, f"It did not come true within {seconds:g} s."
        sleep(0.02)
    return held
