"""Brokers under TLS: each library talks to the server whose certificate the address names, and to no other one."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from config.runner.embedded.server import free_port
from config.runner.process import finish, spawn
from tests.conftest import FOUND
from tests.journeys import rabbits
from tests.journeys.house import ROOT
from tests.journeys.proxies import Certificate
from tests.journeys.rabbits import Rabbits
from tests.waiting import PATIENCE, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]

ASK = """
import asyncio, sys
import django; django.setup()
from channels.layers import get_channel_layer
from config.celery import app
from matches.publishing import redis_client

async def layer():
    channel = await get_channel_layer().new_channel()
    await get_channel_layer().send(channel, {"type": "heard"})
    return await asyncio.wait_for(get_channel_layer().receive(channel), 5)

def queue():
    with app.connection_for_write() as connection:
        connection.ensure_connection(max_retries=1, interval_start=0)
        return connection.connected

for name, ask in {
    "client": lambda: redis_client.connect(2).ping(), "layer": lambda: asyncio.run(layer()), "queue": queue,
}.items():
    try:
        print(name, bool(ask()))
    except Exception as error:
        known = "CERTIFICATE_VERIFY_FAILED" in f"{error!r} {error.__cause__!r} {error.__context__!r}"
        print(name, "refused" if known else repr(error))
"""
TALKED, REFUSED = "True", "refused"


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> tuple[Certificate, Certificate]:
    """The server's, and that of somebody else."""
    folders = [tmp_path_factory.mktemp(name) for name in ("theirs", "another")]
    return Certificate(folders[0]), Certificate(folders[1])


@pytest.fixture(scope="module")
def valkey(certificates: tuple[Certificate, Certificate], tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a Redis that speaks TLS alone."""
    if not (program := shutil.which("redis-server") or shutil.which("valkey-server")):
        pytest.skip("No Redis that can speak TLS is installed: apt-get install redis-server brings one.")
    theirs, port = certificates[0], free_port()
    words = f"--port 0 --tls-port {port} --tls-auth-clients no --save  --bind 127.0.0.1".split(" ")
    files = {"cert": theirs.certificate, "key": theirs.key, "ca-cert": theirs.certificate}
    words += [word for kind, path in files.items() for word in (f"--tls-{kind}-file", str(path))]
    folder = tmp_path_factory.mktemp("valkey")
    child = spawn([program, *words], log=folder / "log", env={"PATH": os.environ["PATH"]}, cwd=folder)
    wait_until(lambda: "eady to accept" in (folder / "log").read_text())
    yield port
    finish(child, (signal.SIGKILL, 5.0))


def connection_results(**env: str) -> dict[str, str]:
    """Return the result of each library's connection in a process with these variables."""
    variables = {name: value for name, value in os.environ.items() if name not in ("REDIS_URL", "CROUPIER_BROKER_URL")}
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        env=FOUND | variables | env, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=True,
    )  # fmt: skip
    return dict(line.split(" ", 1) for line in done.stdout.splitlines())


def test_redis_is_talked_to_under_tls(valkey: int, certificates: tuple[Certificate, Certificate]) -> None:
    address = f"rediss://localhost:{valkey}/0?ssl_ca_certs="
    talked = connection_results(REDIS_URL=address + str(certificates[0].certificate))
    assert talked == dict.fromkeys(("client", "layer", "queue"), TALKED)
    for another in (address + str(certificates[1].certificate), f"rediss://localhost:{valkey}/0"):
        assert connection_results(REDIS_URL=another) == dict.fromkeys(("client", "layer", "queue"), REFUSED)


def test_rabbitmq_is_talked_to_under_tls(certificates: tuple[Certificate, Certificate], tmp_path: Path) -> None:
    if why := rabbits.lacking():
        pytest.skip(why)
    with ExitStack() as held:
        nodes = Rabbits(tmp_path / "rabbits", held, names=("one",), certificate=certificates[0])
        address = f"{nodes.url}?ssl_ca_certs="
        assert connection_results(CROUPIER_BROKER_URL=address + str(certificates[0].certificate))["queue"] == TALKED
        for another in (address + str(certificates[1].certificate), nodes.url):
            assert connection_results(CROUPIER_BROKER_URL=another)["queue"] == REFUSED
