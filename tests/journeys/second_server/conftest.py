"""A house to break, which is bin/up itself. It ends before the journeys that need only the other one."""

import signal
from collections.abc import Iterator

import pytest

from tests.journeys.house import House, open_house


@pytest.fixture(scope="package")
def inn() -> Iterator[House]:
    """A house with demo data whose parts are killed; every test leaves it whole, and Ctrl-C ends it."""
    with open_house("inn", stopped_by=signal.SIGINT) as inn:
        yield inn
