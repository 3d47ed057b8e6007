"""Waiting for a condition, never for luck."""

from collections.abc import Callable
from time import monotonic, sleep
from typing import Any

PATIENCE = 100.0
"""Seconds that a test waits for a condition that must come true in the end.

A wait that succeeds ends at once, so only a failing test ever takes this long. On a slow machine a page, a process or a
request may take twenty times as long as usual, and no test may fail for that.
"""


def wait_until(holds: Callable[[], Any], seconds: float = PATIENCE) -> Any:
    """Return the value of `holds` once it is true; raise AssertionError after `seconds`."""
    began = monotonic()
    while not (held := holds()):
        waited = monotonic() - began
        assert waited < seconds, f"It did not come true within {seconds:g} s."
        # Often at first, then less often: many conditions query a service that has to work meanwhile.
        sleep(min(max(0.02, waited / 10), 0.25))
    return held
