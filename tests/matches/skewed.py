"""A program whose clock is wrong: python -m tests.matches.skewed SECONDS MODULE [args].

Python's own clocks of the day are moved before the module is imported; the monotonic ones stay.
"""

import datetime
import runpy
import sys
import time
from typing import Any


def skew(seconds: float) -> None:
    """Move what this process takes for the time of day."""
    honest, true_time, true_time_ns = datetime.datetime, time.time, time.time_ns
    shift = datetime.timedelta(seconds=seconds)

    class Lenient(type):
        """The compiled parts of Python and psycopg go on making honest ones."""

        def __instancecheck__(cls, instance: object) -> bool:
            return isinstance(instance, honest)

        def __subclasscheck__(cls, other: type) -> bool:
            return issubclass(other, honest)

    class Skewed(honest, metaclass=Lenient):
        """The class that asks the wrong clock."""

        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> Any:
            return honest.now(tz) + shift

        @classmethod
        def utcnow(cls) -> Any:
            return honest.now(datetime.UTC).replace(tzinfo=None) + shift

    Skewed.__name__ = Skewed.__qualname__ = "datetime"
    Skewed.__module__ = "datetime"
    datetime.datetime = Skewed  # type: ignore[misc]
    time.time = lambda: true_time() + seconds
    time.time_ns = lambda: true_time_ns() + round(seconds * 1e9)


def main() -> None:
    """Skew, then be that module."""
    seconds, module, *arguments = sys.argv[1:]
    skew(float(seconds))
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
