"""Web processes of their own for the live tests, on the stage's servers. They end with them: none stands idle."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from config.runner import parts
from config.runner.embedded.server import free_port
from config.runner.embedded.valkey import Valkey
from tests.live.watching import House

LITTLE_PATIENCE = 4
"""Seconds that a house with little patience leaves something unread."""


@contextmanager
def served(logs: Path, **env: str) -> Iterator[House]:
    """The service as it is served, with limits on."""
    program = parts.web(free_port(), dict(os.environ) | {"CROUPIER_LIMITS": "on"} | env, logs)
    program.start()
    assert program.child is not None
    yield House(int(program.arguments[-1]), program.child.pid, program.log)
    program.request_stop()
    program.stop()


@pytest.fixture(scope="package")
def web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """An ordinary one."""
    with served(tmp_path_factory.mktemp("web"), CROUPIER_LIMIT_COMMANDS="1000/second") as house:
        yield house
        assert '"level": "error"' not in house.log.read_text()


@pytest.fixture(scope="package")
def short(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One whose connections are few and live for two seconds."""
    few = {"CROUPIER_LIVE_PER_ACCOUNT": "3", "CROUPIER_LIVE_PER_ADDRESS": "5", "CROUPIER_LIVE_SECONDS": "2"}
    with served(tmp_path_factory.mktemp("short"), CROUPIER_LIMIT_READS="20/minute", **few) as house:
        yield house


@pytest.fixture(scope="package")
def lonely(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[House, Valkey]]:
    """One with a Valkey of its own, that may be killed, and little patience with those who don't read."""
    folder = tmp_path_factory.mktemp("lonely")
    for place in (folder, folder.parent):
        place.chmod(0o711)
    valkey = Valkey(folder / "valkey")
    valkey.start()
    try:
        with served(folder, REDIS_URL=valkey.url, CROUPIER_UNREAD_SECONDS=str(LITTLE_PATIENCE)) as house:
            yield house, valkey
    finally:
        valkey.remove()
