"""Waiting for a condition, never for luck."""

from collections.abc import Callable
from time import monotonic, sleep
from typing import Any


def wait_until(holds: Callable[[], Any], seconds: float = 10.0) -> Any:
    """What `holds` gives once it is true; AssertionError after so many seconds."""
    began = monotonic()
    while not (held := holds()):
        waited = monotonic() - began
        assert waited < seconds, f"It did not come true within {seconds:g} s."
        # Often at first, then ever less: many conditions ask a house that has to work meanwhile.
        sleep(min(max(0.02, waited / 10), 0.25))
    return held
