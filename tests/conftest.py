"""The stage of every test: a throw-away Postgres and Valkey, prepared as bin/up prepares them.

With DATABASE_URL or REDIS_URL set those servers are used, on a database of the run's own. Nothing is cleared between
tests: each makes accounts and matches of its own, so their order doesn't matter.
"""

import gc
import logging
import os
import shutil
import tempfile
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from psycopg import sql

from config.deployment import secret_files
from config.runner import embedded
from tests.shares import share_out

if TYPE_CHECKING:
    from tests.journeys.citus import Cluster

FOUND = dict(os.environ)
"""The environment as the run found it; the stage adds to it."""
ROOT = Path(__file__).parent
WHOLE_HOUSE = (
    "events/test_projections.py", "matches/test_scheduled.py", "matches/test_commands.py", "matches/test_seeds.py",
)  # fmt: skip
"""Files whose tests go through every existing match, which takes little time only while there are few."""
DISTRIBUTED = "CROUPIER_TEST_DISTRIBUTED"
"""Says that the tests' database is to be spread over the nodes of a Citus cluster."""
MEMORY = Path("/dev/shm")  # noqa: S108 (a place for a folder with an unforeseeable name)
ENOUGH_MEMORY = 6 * 2**30
_stage = ExitStack()


@contextmanager
def database_of_its_own(server: str, purpose: str = "test") -> Iterator[str]:
    """A database beside the one that DATABASE_URL names, dropped at the end."""
    name = f"croupier_{purpose}_{os.getpid()}"
    with psycopg.connect(server, autocommit=True) as owner:
        owner.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        yield urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
        owner.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))
        owner.execute(sql.SQL("DROP ROLE IF EXISTS {}").format(sql.Identifier(f"{name}_app")))


def _set_the_stage() -> None:
    """Start the servers and prepare the database, before Django reads its settings."""
    data = Path(tempfile.mkdtemp(prefix="croupier-test-"))
    _stage.callback(shutil.rmtree, data, ignore_errors=True)
    secret_files.ensure(data / "secrets")
    database_url = os.environ.get("DATABASE_URL")
    cluster = _cluster(data) if os.environ.get(DISTRIBUTED) else None
    postgres, valkey = (None, None) if database_url or cluster else _stage.enter_context(embedded.throwaway(_memory()))
    url = (
        cluster.url
        if cluster
        else _stage.enter_context(database_of_its_own(database_url))
        if database_url
        else postgres.url
    )
    if not os.environ.get("REDIS_URL"):
        valkey = valkey or _stage.enter_context(embedded.throwaway(_memory()))[1]
        os.environ["REDIS_URL"] = valkey.url
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "CROUPIER_DATA": str(data),
        "CROUPIER_LIMITS": "off",
        # Bots answer at once; their rests have tests of their own.
        "CROUPIER_BOT_REST": "0",
        "CROUPIER_SHOW_REST": "0",
        # Web processes that a test ended leave a silence behind them; outages have tests of their own.
        "CROUPIER_OUTAGE_SECONDS": "86400",
        "DATABASE_URL": url,
    }
    import django

    django.setup()
    from django.conf import settings

    from config.deployment import database
    from matches.http import rate_windows

    # A machine that runs so many tests at once stands still now and then; that is no outage of Redis.
    rate_windows.of_play.patience = rate_windows.of_entries.patience = 30
    settings.PASSWORD_HASHERS = ["tests.hashing.QuickHasher", *settings.PASSWORD_HASHERS]
    # A line for each refusal, kept in case that the test fails: thousands of them, and the answer says it all.
    logging.getLogger("django.request").setLevel(logging.ERROR)
    _find_static_files_once()
    _resolve_example_names()
    database.prepare(lambda _step: None)
    if cluster:
        cluster.distribute(settings.DATABASE_LOGINS)


def _cluster(data: Path) -> "Cluster":
    """A cluster over whose nodes the tests' database is spread: docs/citus.md."""
    from tests.journeys.citus import Cluster, binaries

    data.chmod(0o711)
    return Cluster(data / "cluster", binaries(), _stage)


def _memory() -> Path | None:
    """Return the folder in memory if it has room: the servers' data are thrown away after the run and need no disk."""
    has_room = MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ENOUGH_MEMORY
    return MEMORY if has_room else None


def _resolve_example_names() -> None:
    """Let names below example.org lead to a public address: no test queries a name server."""
    from matches.notifications import webhooks

    look_up = webhooks._look_up

    def answer(addresses: "Future[list[str]]", host: str, port: int) -> None:
        if host.endswith("example.org"):
            addresses.set_result(["93.184.216.34"])
        else:
            look_up(addresses, host, port)

    webhooks._look_up = answer


def _find_static_files_once() -> None:
    """Every test client makes its middleware anew, and each time WhiteNoise would look at hundreds of files."""
    from whitenoise.middleware import WhiteNoiseMiddleware

    find, files = WhiteNoiseMiddleware.add_files_from_finders, {}

    def add(middleware: WhiteNoiseMiddleware) -> None:
        if not files:
            find(middleware)
            files.update(middleware.files)
        middleware.files.update(files)

    WhiteNoiseMiddleware.add_files_from_finders = add


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a running web process for all tests of pages, which has nothing to complain of in the end."""
    from tests.web.site import errors_in, served

    logs = tmp_path_factory.mktemp("site")
    with served(logs) as address:
        yield address
    assert errors_in(logs) == []


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that sends requests over a web process; see tests/api/doors.py."""
    parser.addoption("--served", action="store_true", help="guests of tests/api ask a web process")


def pytest_configure(config: pytest.Config) -> None:
    """Set the stage before the tests are imported; with several processes each has one of its own."""
    if runs_tests(config):
        # All that is imported and collected stays to the end: no need to look for garbage in it, now or later.
        gc.disable()
        _set_the_stage()
        _import_a_share(config)


def _import_a_share(config: pytest.Config) -> None:
    """Begin with other modules than the other processes: what one of them has compiled, the rest needn't."""
    place = getattr(config, "workerinput", None)
    if place is None or config.args != config.getini("testpaths"):
        return
    modules = sorted(ROOT.rglob("test_*.py"))
    share = slice(int(place["workerid"].removeprefix("gw")), None, place["workercount"])
    for module in modules[share]:
        # What can't be imported is told where tests are collected.
        with suppress(Exception):
            import_module(".".join(module.relative_to(ROOT.parent).with_suffix("").parts))


def pytest_collection_finish(session: pytest.Session) -> None:
    """From here on garbage is sought, in what the tests make.

    What they make is mostly gone by its count of references, so it is sought seldom: a search goes through all that
    stays, and at Python's own thresholds takes twice as much of a process's time.
    """
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)
    gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Order the tests: first those that other tests' matches slow down, then those that share something slow to start.

    Runs after every other hook of this name, so that the tests deselected in this run are already removed.
    """
    groups: list[list[pytest.Item]] = [[], [], [], []]
    rest = []
    for item in items:
        number = _group_of(item)
        (rest if number is None else groups[number]).append(item)
    groups[0].sort(key=lambda item: WHOLE_HOUSE.index(_file_of(item)))
    items[:] = share_out(groups, rest, getattr(config, "workerinput", {}).get("workercount", 1))


def _group_of(item: pytest.Item) -> int | None:
    """The number of the tests that it belongs together with; None for one that shares nothing of that kind."""
    file = _file_of(item)
    if file in WHOLE_HOUSE:
        return 0
    if "site" in getattr(item, "fixturenames", ()):
        return 1
    return {"journeys": 2, "live": 3}.get(file.split("/")[0])


def _file_of(item: pytest.Item) -> str:
    return item.path.relative_to(ROOT).as_posix()


def runs_tests(config: pytest.Config) -> bool:
    """True if this process runs tests, rather than distributing them to other processes."""
    if hasattr(config, "workerinput") or not config.getoption("numprocesses", None):
        return True
    # Nothing is handed out where tests are only listed.
    return bool(config.getoption("collectonly", False))


def pytest_unconfigure(config: pytest.Config) -> None:
    """Take it down."""
    if not runs_tests(config):
        return
    from django.db import connections

    connections.close_all()
    for connection in connections.all(initialized_only=True):
        if getattr(connection, "pool", None):
            connection.close_pool()
    _stage.close()
