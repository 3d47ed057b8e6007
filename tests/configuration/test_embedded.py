"""The embedded servers start, stop, survive a kill and keep to themselves."""

import os
import signal
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
import redis

from config.runner import server_paths
from config.runner.embedded.postgres import Postgres
from config.runner.embedded.server import Server
from config.runner.embedded.valkey import Valkey
from config.runner.process import StartFailed, evict, residents
from tests.waiting import wait_until

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def passable() -> Iterator[Path]:
    """A folder that the servers' account may pass through, unlike pytest's own below a closed one."""
    with tempfile.TemporaryDirectory(prefix="croupier-ground-") as name:
        Path(name).chmod(0o711)
        yield Path(name)


@pytest.fixture
def folder() -> Iterator[Path]:
    with passable() as folder:
        yield folder


@pytest.fixture(scope="module")
def cluster() -> Iterator[Path]:
    """Create a cluster and stop it; creating one takes longer than most tests of it."""
    with passable() as folder:
        server = Postgres(folder / "postgres")
        server.start()
        server.stop()
        yield server.folder


def stopped_copy_of(cluster: Path, folder: Path) -> Postgres:
    """A Postgres that begins with this cluster once it is started."""
    server = Postgres(folder / "postgres")
    subprocess.run(["cp", "-a", cluster, server.folder], check=True)
    return server


@contextmanager
def copy_of(cluster: Path, folder: Path) -> Iterator[Postgres]:
    """A running Postgres that begins with this cluster."""
    server = stopped_copy_of(cluster, folder)
    server.start()
    yield server
    server.remove()


@pytest.fixture
def postgres(cluster: Path, folder: Path) -> Iterator[Postgres]:
    with copy_of(cluster, folder) as server:
        yield server


@pytest.fixture(scope="module")
def running(cluster: Path) -> Iterator[Postgres]:
    """A Postgres that nobody stops."""
    with passable() as folder, copy_of(cluster, folder) as server:
        yield server


@pytest.fixture
def valkey(folder: Path) -> Iterator[Valkey]:
    server = Valkey(folder / "valkey")
    server.start()
    yield server
    server.remove()


def run(server: Postgres, statement: str) -> list[tuple[object, ...]]:
    with psycopg.connect(server.url) as connection:
        cursor = connection.execute(statement)
        return cursor.fetchall() if cursor.description else []


def kill(server: Server) -> None:
    assert server.pid is not None
    os.kill(server.pid, signal.SIGKILL)
    os.waitid(os.P_PID, server.pid, os.WEXITED | os.WNOWAIT)


@pytest.mark.slow
def test_postgres_keeps_rows_over_a_stop_and_a_kill(postgres: Postgres) -> None:
    run(postgres, "CREATE TABLE kept (n int)")
    run(postgres, "INSERT INTO kept VALUES (1)")
    postgres.stop()
    assert not postgres.alive()
    postgres.start()
    run(postgres, "INSERT INTO kept VALUES (2)")
    kill(postgres)
    postgres.start()
    assert run(postgres, "SELECT n FROM kept ORDER BY n") == [(1,), (2,)]


@pytest.mark.slow
def test_postgres_starts_again_while_a_backend_of_the_killed_one_is_busy(postgres: Postgres) -> None:
    busy = psycopg.connect(postgres.url, autocommit=True)
    busy.pgconn.send_query(b"SELECT count(*) FROM generate_series(1, 1000000000)")
    kill(postgres)
    postgres.start()
    busy.close()
    assert run(postgres, "SELECT 1") == [(1,)]


def test_pid_file_of_a_process_of_another_user_is_removed(cluster: Path, folder: Path) -> None:
    """The postmaster's number may have passed to any process, as here to the first one."""
    server = stopped_copy_of(cluster, folder)
    server._settle()
    (server.data / "postmaster.pid").write_text("1\n")
    account = server.account
    try:
        if account is not None:
            os.seteuid(account.uid)
        with pytest.raises(PermissionError):
            Path("/proc/1/cwd").readlink()
        server._clear_remains()
        assert not (server.data / "postmaster.pid").exists()
    finally:
        os.seteuid(os.getuid())
        server.remove()


def test_postgres_is_durable_and_sorts_by_bytes(running: Postgres) -> None:
    wanted = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on", "server_encoding": "UTF8"}
    for name, value in wanted.items():
        assert run(running, f"SHOW {name}") == [(value,)]
    assert run(running, "SELECT datcollate FROM pg_database WHERE datname = 'croupier'") == [("C",)]


def test_postgres_listens_on_loopback_only_and_wants_the_password(running: Postgres) -> None:
    assert run(running, "SHOW listen_addresses") == [("127.0.0.1",)]
    with pytest.raises(psycopg.OperationalError, match="password"):
        psycopg.connect(running.url.replace(":" + running.url.split(":")[2].split("@")[0], ":guess"))


def test_a_folder_has_one_server(running: Postgres) -> None:
    with pytest.raises(StartFailed, match="in use by another process"):
        Postgres(running.folder).start()
    assert run(running, "SELECT 1") == [(1,)]


@pytest.mark.slow
def test_two_postgres_side_by_side_do_not_meet(postgres: Postgres, folder: Path) -> None:
    other = Postgres(folder / "other")
    try:
        other.start()
        run(postgres, "CREATE TABLE mine (n int)")
        assert other.port != postgres.port
        assert run(other, "SELECT to_regclass('mine')") == [(None,)]
    finally:
        other.remove()


def test_a_start_that_fails_says_why(cluster: Path, folder: Path) -> None:
    server = stopped_copy_of(cluster, folder)
    (server.folder / "data/PG_VERSION").write_text("9\n")
    try:
        with pytest.raises(StartFailed, match="made by version 9"):
            server.start()
    finally:
        server.remove()


def test_valkey_keeps_keys_over_a_stop_and_a_kill(valkey: Valkey) -> None:
    with redis.Redis.from_url(valkey.url) as client:
        client.set("kept", "1")
        kill(valkey)
        valkey.start()
        assert client.get("kept") == b"1"
        valkey.stop()
        valkey.start()
        assert client.get("kept") == b"1"


def test_two_valkeys_side_by_side_do_not_meet(valkey: Valkey, folder: Path) -> None:
    other = Valkey(folder / "other")
    try:
        other.start()
        with redis.Redis.from_url(valkey.url) as mine, redis.Redis.from_url(other.url) as theirs:
            mine.set("mine", "1")
            assert theirs.get("mine") is None
    finally:
        other.remove()


def test_servers_start_in_a_folder_of_any_name(folder: Path) -> None:
    odd = folder / 'Bela\'s "dä ta" \\n #1 %s é'
    for server in (Postgres(odd / "postgres"), Valkey(odd / "valkey")):
        server.start()
        server.remove()


def test_valkey_wants_the_password_and_shows_it_to_nobody(valkey: Valkey) -> None:
    with (
        redis.Redis(port=valkey.port) as stranger,
        pytest.raises(redis.AuthenticationError),
    ):
        stranger.ping()
    password = valkey.url.split(":")[2].split("@")[0]
    assert password not in Path(f"/proc/{valkey.pid}/cmdline").read_text()


@pytest.mark.slow
def test_servers_end_with_a_starter_that_was_killed(cluster: Path, folder: Path) -> None:
    stopped_copy_of(cluster, folder)
    starter = textwrap.dedent(
        """
        import sys
        from pathlib import Path
        from config.runner.embedded import Postgres, Valkey
        servers = Postgres(Path(sys.argv[1]) / "postgres"), Valkey(Path(sys.argv[1]) / "valkey")
        for server in servers:
            server.start()
        print(*(f"{server.data}" for server in servers), sep="\\n", flush=True)
        sys.stdin.read()
        """
    )
    child = subprocess.Popen(
        [sys.executable, "-c", starter, str(folder)],
        cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert child.stdin and child.stdout
    homes = [Path(child.stdout.readline().strip()) for _ in range(2)]
    programs = ("postgres", "valkey-server")
    assert all(residents(home, program) for home, program in zip(homes, programs, strict=True))
    child.kill()
    child.communicate()
    again = Postgres(folder / "postgres"), Valkey(folder / "valkey")
    try:
        for server in again:
            server.start()
        assert run(again[0], "SELECT 1") == [(1,)]
    finally:
        for server in again:
            server.remove()
    for home, program in zip(homes, programs, strict=True):
        evict(home, program, grace=5.0)
        assert residents(home, program) == []


@pytest.mark.slow
def test_the_making_of_a_cluster_ends_with_a_starter_that_was_killed(folder: Path) -> None:
    code = "import sys; from config.runner.embedded import Postgres; Postgres(sys.argv[1]).start()"
    child = subprocess.Popen([sys.executable, "-c", code, str(folder / "postgres")], cwd=ROOT)
    wait_until(lambda: residents(folder / "postgres", "initdb"))
    (maker,) = residents(folder / "postgres", "initdb")
    os.kill(maker, signal.SIGSTOP)
    try:
        child.kill()
        child.wait()
        wait_until(lambda: not residents(folder / "postgres", "initdb"))
    finally:
        evict(folder / "postgres", "initdb", grace=0.0)
    again = Postgres(folder / "postgres")
    again.start()
    again.remove()


def test_root_leaves_alone_what_another_account_has_started(folder: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root may take a folder over")
    home = folder / "postgres"
    (home / "data").mkdir(parents=True)
    for place in (home, home / "data"):
        os.chown(place, 65533, 65533)
    with pytest.raises(StartFailed, match=r"is kept by the account 65533, .* as (postgres|nobody)\."):
        Postgres(home).start()
    assert home.stat().st_uid == 65533, "Who has started it until now can go on."


def test_nobody_begins_anew_beside_what_root_keeps_elsewhere(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root keeps anything elsewhere")
    home = folder / "elsewhere"
    (home / "data").mkdir(parents=True)
    os.chown(home / "data", 65533, 65533)
    (folder / "postgres").mkdir()
    (folder / "postgres/elsewhere").symlink_to(home)
    monkeypatch.setattr(server_paths, "server_account", lambda: None)
    with pytest.raises(StartFailed, match="is kept by the account 65533"):
        Postgres(folder / "postgres").start()
    assert not (folder / "postgres/data").exists()
