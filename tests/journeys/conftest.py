"""Two houses for all journeys: one that is treated well, and one to break. Both are bin/up itself."""

from collections.abc import Iterator

import pytest

from tests.journeys.house import House, figures, open_house


@pytest.fixture(scope="session")
def house() -> Iterator[House]:
    """A house without demo data that runs undisturbed, and has nothing to complain of in the end."""
    with open_house("house", "--no-demo") as house:
        yield house
        assert house.complaints() == []


@pytest.fixture(scope="session")
def inn() -> Iterator[House]:
    """A house with demo data whose parts are killed; every test leaves it whole."""
    with open_house("inn") as inn:
        yield inn


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell what was measured on the way."""
    if figures:
        told = ", ".join(f"{name} {seconds:.2f} s" for name, seconds in sorted(figures.items()))
        terminalreporter.write_line(f"journeys: {told}")
