"""A web process of its own for the live tests, on the stage's servers."""

import os
from collections.abc import Iterator

import pytest

from config import embedded, parts
from tests.live.watching import House


@pytest.fixture(scope="session")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """The service as it is served, with limits on."""
    logs = tmp_path_factory.mktemp("web")
    env = dict(os.environ) | {"CROUPIER_LIMITS": "on", "CROUPIER_LIMIT_COMMANDS": "1000/second"}
    program = parts.web(embedded.free_port(), env, logs)
    program.start()
    assert program.child is not None
    yield House(int(program.arguments[-1]), program.child.pid, program.log)
    program.ask_to_stop()
    program.stop()
