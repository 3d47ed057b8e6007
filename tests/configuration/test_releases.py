"""An older release on a newer schema, and the previous release's own tests on this one's."""

import subprocess
import tomllib
from collections.abc import Iterator

import psycopg
import pytest
from django.conf import settings

from config.deployment import database, releases
from config.server import startup_check
from tests.conftest import FOUND
from tests.journeys.releases import HERE, Release, checked_out
from tests.table_setting import in_another_process

PREVIOUS = tomllib.loads((HERE.tree / "pyproject.toml").read_text())["tool"]["croupier"]["previous-release"]
DOOR = [
    f"tests/events/test_{name}.py"
    for name in ("append", "optimistic", "carried_clock", "roundtrip", "outbox", "projections", "roles", "selfcheck")
]
SERVICES = [
    f"tests/matches/test_{name}.py"
    for name in ("commands", "hosting", "scheduled", "outage", "dealing", "stand_ins", "rewinding", "notices", "timing")
]
SEASONS = [f"tests/seasons/test_{name}.py" for name in ("acts", "delivery", "roster")]
WRITES_AN_EXAMPLE = [
    f"tests/events/test_append.py::{name}"
    for name in (
        "test_leaving_a_door_without_an_append_undoes_what_was_run_and_lets_go_of_the_stream",
        "test_a_commit_keeps_what_was_run_where_nothing_is_appended",
    )
]
"""Tests that take an UPDATE of `events_head` as an example. The service never sent one, and may send none now."""
PREPARED_BY_THE_NEXT = """
import os, subprocess
try:
    from config.deployment import database
except ImportError:
    # Releases before 0.3 have it there.
    from config import database

def prepare(_progress):
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [os.environ["NEXT_PYTHON"], "-m", "config.database"]
    subprocess.run(command, cwd=os.environ["NEXT_RELEASE"], env=env, check=True)
    if also := os.environ.get("ALSO"):
        import psycopg
        from django.conf import settings
        with psycopg.connect(settings.DATABASE_LOGINS.owner) as owner:
            owner.execute(also)

database.prepare = prepare
"""


@pytest.fixture
def newer() -> Iterator[None]:
    """A database to which a release to come has added something."""
    with psycopg.connect(settings.DATABASE_LOGINS.owner, autocommit=True) as owner:
        owner.execute("INSERT INTO django_migrations (app, name, applied) VALUES ('matches', '9999_later', now())")
        owner.execute("INSERT INTO django_migrations (app, name, applied) VALUES ('gone', '0001_initial', now())")
        owner.execute("COMMENT ON TABLE django_migrations IS '9.9.0'")
        try:
            yield
        finally:
            owner.execute("DELETE FROM django_migrations WHERE name = '9999_later' OR app = 'gone'")
            releases.record_release(owner)


def test_a_process_of_an_older_release_says_so_and_ends_before_it_serves(newer: None) -> None:
    with pytest.raises(SystemExit, match=r"doesn't start on a newer database\. This is") as ended:
        startup_check.refuse_unsafe_database()
    message = str(ended.value)
    assert f"This is Croupier {settings.VERSION}, and" in message
    assert "prepared by Croupier 9.9.0" in message
    assert "(matches.9999_later)" in message, "An app that this release doesn't have is none of its business."
    assert "Start the newer release, or restore a backup" in message


def test_an_older_release_does_not_prepare_a_newer_database(newer: None) -> None:
    steps: list[str] = []
    with pytest.raises(releases.NewerDatabase):
        database.prepare(steps.append)
    assert steps == []


@pytest.mark.slow
@pytest.mark.parametrize("start", ["import config.asgi", "from config.database import main; main()"])
def test_it_is_a_sentence_without_a_traceback(newer: None, start: str) -> None:
    ended = in_another_process(start)
    assert ended.returncode == 1
    assert f"newer database. This is Croupier {settings.VERSION}" in ended.stderr and "Traceback" not in ended.stderr


def test_database_records_the_release_that_prepared_it() -> None:
    with psycopg.connect(settings.DATABASE_LOGINS.app) as connection:
        releases.refuse_newer_database(connection)
        assert releases._prepared_by(connection) == settings.VERSION


@pytest.fixture(scope="module")
def previous(tmp_path_factory: pytest.TempPathFactory) -> Release:
    """The previous release, beside the plugin that prepares its stage with this one's migrations."""
    folder = tmp_path_factory.mktemp("previous")
    release = checked_out(PREVIOUS, folder, "--test")
    (folder / "prepared_by_the_next.py").write_text(PREPARED_BY_THE_NEXT)
    return release


def its_tests(previous: Release, *files: str, also: str = "") -> subprocess.CompletedProcess[str]:
    """Run these tests of the previous release on this one's schema."""
    variables = {name: value for name, value in FOUND.items() if not name.startswith(("PYTEST", "COV"))}
    env = variables | {"PYTHONPATH": str(previous.tree.parent), "NEXT_RELEASE": str(HERE.tree), "ALSO": also}
    env["NEXT_PYTHON"] = str(HERE.python)
    command = previous.command("-m", "pytest", "-p", "prepared_by_the_next", "-q", *files)
    command += [f"--deselect={test}" for test in WRITES_AN_EXAMPLE]
    return subprocess.run(command, cwd=previous.tree, env=env, capture_output=True, text=True, timeout=850, check=False)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_tests_of_the_previous_release_pass_on_this_schema(previous: Release) -> None:
    done = its_tests(previous, *DOOR, *SERVICES, *SEASONS)
    assert done.returncode == 0, done.stdout[-6000:]
    assert " passed" in done.stdout


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    "contraction",
    [
        "ALTER TABLE matches_match RENAME COLUMN wake TO waits",
        "ALTER TABLE matches_outage ADD COLUMN part text NOT NULL",
        "DROP FUNCTION events_enter",
    ],
)
def test_a_schema_that_contracts_too_early_fails_them(previous: Release, contraction: str) -> None:
    done = its_tests(previous, "tests/matches/test_outage.py", also=contraction)
    assert done.returncode == 1, done.stdout[-2000:]
    assert " failed" in done.stdout
