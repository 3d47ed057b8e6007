"""A house for the journeys that is treated well, bin/up itself; the one to break stands in the inn's folder.

Each ends with its journeys: a house that nobody needs still takes a twelfth of a core.
"""

import signal
from collections.abc import Iterator

import pytest

from tests.journeys.house import House, figures, open_house


@pytest.fixture(scope="package")
def house() -> Iterator[House]:
    """A server with demo data that runs undisturbed, and has nothing to complain of in the end."""
    with open_house("house", stopped_by=signal.SIGTERM) as house:
        yield house
        assert house.errors() == []


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell what was measured on the way."""
    if figures:
        summary = ", ".join(f"{name} {seconds:.2f} s" for name, seconds in sorted(figures.items()))
        terminalreporter.write_line(f"journeys: {summary}")
