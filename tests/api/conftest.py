"""The two ways in which the guests of these tests send requests."""

from collections.abc import Iterator

import pytest

from tests.api import doors


@pytest.fixture(scope="session", autouse=True)
def _door(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A web process with `--served`."""
    if not request.config.getoption("served"):
        yield
        return
    with doors.served(tmp_path_factory.mktemp("served")) as door:
        doors.use(door)
        yield
        doors.use(None)


@pytest.fixture(autouse=True)
def _stays(request: pytest.FixtureRequest) -> Iterator[None]:
    """Nobody asks another process in a test that is marked so."""
    if request.node.get_closest_marker("in_process") is None:
        yield
        return
    with doors.closed():
        yield
