"""A house that keeps its place to itself: its folder, its port, its secrets."""

import re
import signal
import subprocess
from contextlib import ExitStack
from pathlib import Path
from time import monotonic, sleep

import pytest
import redis

from config.runner.embedded.server import free_port
from tests.journeys.guests import Guest
from tests.journeys.house import PASSWORD, ROOT, House, open_house
from tests.waiting import PATIENCE


def up(*arguments: object) -> subprocess.CompletedProcess[str]:
    """A start that is refused."""
    command = [ROOT / "bin/up", "--no-demo", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)


def test_a_second_start_on_a_folder_in_use_is_refused_in_a_sentence(house: House) -> None:
    refused = up("--port", free_port(), "--data", house.data)
    assert refused.returncode == 1
    assert re.fullmatch(
        rf"Croupier already runs on {house.data} \(process \d+\)\. Stop it, or choose another folder with --data\.\n",
        refused.stderr,
    )
    assert house.whole(), "The first goes on."


def test_a_start_on_a_port_in_use_is_refused_in_a_sentence(house: House, tmp_path: Path) -> None:
    refused = up("--port", house.port, "--data", tmp_path / "data")
    assert (refused.returncode, refused.stderr) == (1, f"Port {house.port} is taken. Choose another with --port.\n")
    assert not (tmp_path / "data/postgres").exists()


@pytest.mark.slow
def test_installation_with_two_web_processes_plays_and_stops_cleanly(tmp_path: Path) -> None:
    with open_house("webs", "--no-demo", "--webs", "2", stopped_by=signal.SIGINT) as house:
        refused = up("--port", house.port, "--data", tmp_path / "data", "--webs", 2)
        message = f"Port {house.port} is taken. Choose another with --port.\n"
        assert (refused.returncode, refused.stderr) == (1, message)
        names = {"ada": house.port + 1, "bela": house.port + 2}
        ada, bela = (Guest.new(f"http://127.0.0.1:{port}", name, PASSWORD) for name, port in names.items())
        match = ada.open("pyramid_poker", ada, bela)
        before = bela.read(match)["version"]
        ada.send(match, {"text": "first me"})
        assert bela.get(f"/matches/{match}/events", after=before, wait=10)["results"], "The other process tells it."
        assert {"web-1.log", "web-2.log"} <= {log.name for log in (house.data / "log").iterdir()}
        for guest in (ada, bela):
            guest.leave()
        assert house.errors() == []


@pytest.mark.parametrize(
    ("port", "env", "message"),
    [
        ("99999", {}, "99999 is no port: they go from 1 to 65535. Choose another with --port."),
        ("0", {}, "0 is no port: they go from 1 to 65535. Choose another with --port."),
        ("65535", {"SECRET_KEY": "short"}, "secret_key is shorter than 32 characters."),
    ],
)
def test_impossible_start_is_refused_in_a_sentence(
    tmp_path: Path, port: str, env: dict[str, str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    refused = up("--port", port, "--data", tmp_path / "data")
    assert refused.returncode == 1 and refused.stderr.splitlines()[-1] == message and "Traceback" not in refused.stderr


@pytest.mark.slow
def test_idle_installation_sends_few_redis_commands() -> None:
    with ExitStack() as stack:
        idle = stack.enter_context(open_house("idle", "--no-demo", stopped_by=signal.SIGTERM))
        client = stack.enter_context(redis.Redis.from_url(idle.services()["REDIS_URL"]))
        client.config_resetstat()
        begun = monotonic()
        sleep(10)
        calls = {
            name: statistics["calls"] for name, statistics in client.info("commandstats").items() if "info" not in name
        }
        assert 0 < sum(calls.values()) < 15 * (monotonic() - begun), calls


def test_no_log_and_no_queue_contains_a_secret(house: House) -> None:
    ada, bela = house.guest("ada"), house.guest("berit")
    match = ada.open("pyramid_poker", ada, bela)
    ada.send(match, {"text": "first me"})
    ada.send(match, {"type": "resign"})
    seed = ada.read(match)["seed"]
    keys = [path.read_text() for path in (house.data / "secrets").iterdir()]
    secrets = [seed, PASSWORD, ada.token, bela.token, *keys]

    files = [path for place in ("log", "valkey", "run") for path in (house.data / place).rglob("*") if path.is_file()]

    contents = {path: path.read_bytes() for path in files}
    assert any(b"matches.tasks.sweep" in content for content in contents.values()), "The queue was among them."
    for path, content in contents.items():
        assert not any(secret.encode() in content for secret in secrets), path
