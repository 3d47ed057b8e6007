"""The settings refuse to start without secrets of their own."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from runpy import run_path
from traceback import format_exception

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import logs
from config.deployment import logins, secret_files
from config.server.headlimit import HEAD_LIMIT

ROOT = Path(__file__).resolve().parents[2]
SHOW = "from config import settings; print(sorted(settings.DATABASES), settings.DEBUG)"
GOOD = "kq3Vw8_ZrT5yLm0XbN7hJc2PdF9sGaE4uQxR"
OTHER = "Zp9mBv4-TgYh7RdKc1WxNq6JsLf0AeUo8iHt"
THIRD = "Hs5uPq1-WtEk8BnZc3VyMo7RxDj2GaLf6iNw"
OWNER = "postgresql://owner:pw@db.example:5432/house"


def load(folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Import the settings in a process that knows only these variables."""
    return subprocess.run(
        [sys.executable, "-c", SHOW],
        check=False, cwd=ROOT, capture_output=True, text=True, env=environment(folder, **env),
    )  # fmt: skip


def environment(folder: Path, **env: str) -> dict[str, str]:
    """Return the variables that every start needs, with these."""
    needed = {"PATH": os.environ["PATH"], "CROUPIER_DATA": str(folder), "DATABASE_URL": OWNER}
    return needed | {"CHECKPOINT_KEY": THIRD} | env


def test_secrets_in_the_environment_are_enough(tmp_path: Path) -> None:
    loaded = load(tmp_path, SECRET_KEY=GOOD, SEED_KEY=OTHER)
    assert loaded.stdout.strip() == "['default', 'owner'] False", loaded.stderr


def test_a_worker_can_reach_a_redis_by_its_socket(tmp_path: Path) -> None:
    shows = "from config.celery import app; print(app.connection_for_write().transport_cls)"
    variables = environment(tmp_path, SECRET_KEY=GOOD, SEED_KEY=OTHER, REDIS_URL="unix:///run/valkey.sock")
    command = [sys.executable, "-c", shows]
    process = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True, env=variables)
    assert process.stdout.strip() == "redis", process.stderr


def test_the_broker_that_bin_up_was_given_is_known_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run/services.json").write_text(json.dumps({"CROUPIER_BROKER_URL": "amqp://a:b@one,two/x"}))
    monkeypatch.setattr(os, "environ", environment(tmp_path, SECRET_KEY=GOOD, SEED_KEY=OTHER))
    settings_read = run_path(str(ROOT / "config/settings.py"))
    assert settings_read["CELERY_BROKER_URL"] == "amqp://a:b@one:5672/x;amqp://a:b@two:5672/x"
    assert all(
        queue["queue_arguments"]["x-queue-type"] == "quorum" for queue in settings_read["CELERY_TASK_QUEUES"].values()
    )


def test_secrets_in_the_data_folder_are_enough(tmp_path: Path) -> None:
    secret_files.ensure(tmp_path / "secrets")
    assert load(tmp_path).returncode == 0


def test_a_process_without_secrets_ends_with_a_sentence(tmp_path: Path) -> None:
    refused = load(tmp_path, SEED_KEY=OTHER)
    assert refused.returncode != 0
    assert "ImproperlyConfigured: No secret_key" in refused.stderr
    assert OTHER not in refused.stderr


@pytest.mark.parametrize(
    ("env", "complaint"),
    [
        ({"SECRET_KEY": GOOD}, "No seed_key"),
        ({"SECRET_KEY": GOOD, "SEED_KEY": OTHER, "CHECKPOINT_KEY": ""}, "No checkpoint_key"),
        ({"SECRET_KEY": "short", "SEED_KEY": OTHER}, "shorter than"),
        ({"SECRET_KEY": "django-insecure-" + GOOD, "SEED_KEY": OTHER}, "known default"),
        ({"SECRET_KEY": "changeme" * 8, "SEED_KEY": OTHER}, "known default"),
        ({"SECRET_KEY": "a" * 64, "SEED_KEY": OTHER}, "known default"),
        ({"SECRET_KEY": GOOD, "SEED_KEY": GOOD}, "must differ"),
        ({"SECRET_KEY": GOOD, "SEED_KEY": OTHER, "DATABASE_URL": ""}, "No database"),
        ({"SECRET_KEY": GOOD, "SEED_KEY": OTHER, "CROUPIER_SIGNUP": "maybe"}, "open"),
        ({"SECRET_KEY": GOOD, "SEED_KEY": OTHER, "CROUPIER_LIMIT_READS": "foo"}, "CROUPIER_LIMIT_READS"),
        ({"SECRET_KEY": GOOD, "SEED_KEY": OTHER, "CROUPIER_LIMIT_LOGINS": "0/minute"}, "CROUPIER_LIMIT_LOGINS"),
        ({"SECRET_KEY": GOOD, "SEED_KEY": OTHER, "CROUPIER_METRICS_FROM": "::1,foo"}, "CROUPIER_METRICS_FROM .* 'foo'"),
        ({"SECRET_KEY": GOOD, "SEED_KEY": OTHER, "REDIS_URL": "foo"}, "REDIS_URL is an address"),
        ({"SECRET_KEY": GOOD, "SEED_KEY": OTHER, "REDIS_URL": "redis://here:port/0"}, "REDIS_URL is an address"),
        (
            {"SECRET_KEY": GOOD, "SEED_KEY": OTHER, "CROUPIER_BROKER_URL": f"kafka://:{THIRD}@here"},
            "CROUPIER_BROKER_URL is an address",
        ),
        ({"SECRET_KEY": GOOD, "SEED_KEY": OTHER, "DATABASE_URL": "foo"}, "DATABASE_URL is an address"),
        ({"SECRET_KEY": GOOD, "SEED_KEY": OTHER, "DATABASE_URL": "mysql://me:" + THIRD + "@here/x"}, "an address"),
        ({"SECRET_KEY": GOOD, "SEED_KEY": OTHER, "DATABASE_OWNER_URL": "postgresql://here:port/x"}, "OWNER_URL is an"),
        ({"SECRET_KEY": GOOD, "SEED_KEY": OTHER, "CROUPIER_LOG": "foo"}, "CROUPIER_LOG is json or console"),
        ({"SECRET_KEY": GOOD, "SEED_KEY": OTHER, "CROUPIER_LOG_LEVEL": "LOUD"}, "CROUPIER_LOG_LEVEL is DEBUG, "),
        ({"SECRET_KEY": GOOD, "SEED_KEY_FILE": "/nowhere/at/all"}, "SEED_KEY_FILE names /nowhere/at/all"),
    ],
)
def test_a_start_without_what_it_needs_is_refused(
    tmp_path: Path, env: dict[str, str], complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "environ", environment(tmp_path, **env))
    with pytest.raises(ImproperlyConfigured, match=complaint) as refused:
        run_path(str(ROOT / "config/settings.py"))
    output = "".join(format_exception(refused.value))
    assert not any(secret in output for secret in (GOOD, OTHER, THIRD))


def test_made_secrets_are_private_kept_and_good(tmp_path: Path) -> None:
    secret_files.ensure(tmp_path / "secrets")
    first = {path.name: path.read_text() for path in (tmp_path / "secrets").iterdir()}
    secret_files.ensure(tmp_path / "secrets")
    assert set(first) == set(secret_files.NAMES)
    for path in (tmp_path / "secrets").iterdir():
        assert path.read_text() == first[path.name]
        assert path.stat().st_mode & 0o777 == 0o600
        secret_files.refuse_weak(path.name, first[path.name])


def test_a_secret_from_a_file_is_held_to_the_same(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("secret\n")
    with pytest.raises(ImproperlyConfigured, match="shorter"):
        secret_files.read("secret_key", tmp_path, {"SECRET_KEY_FILE": str(tmp_path / "key")})


def test_the_database_url_alone_is_the_owners() -> None:
    urls = logins.read({"DATABASE_URL": OWNER}, GOOD)
    assert urls is not None
    assert (urls.owner, urls.role, urls.derived) == (OWNER, "house_app", True)
    assert urls.password == logins.role_password(GOOD, "house_app")
    assert urls.app.endswith("@db.example:5432/house")


def test_two_database_urls_are_used_as_given() -> None:
    runtime = "postgresql://runner:own@db.example/house"
    urls = logins.read({"DATABASE_OWNER_URL": OWNER, "DATABASE_URL": runtime}, GOOD)
    assert urls == logins.Logins(app=runtime, owner=OWNER, derived=False)


def test_a_process_that_only_serves_does_not_know_the_owner() -> None:
    env = {"DATABASE_URL": "postgresql://house_app@db.example/house", "DATABASE_LOGIN": "app"}
    urls = logins.read(env, GOOD)
    assert urls is not None
    assert urls.owner is None
    assert urls.password == logins.role_password(GOOD, "house_app")


@pytest.mark.parametrize("part", ["a", "a.", "://", "://:", "://a:b", "@://:a"])
def test_a_long_log_line_takes_no_time(part: str) -> None:
    line = part * (HEAD_LIMIT // len(part))
    # Of this thread's work, which no neighbour makes longer.
    begun = time.thread_time()
    shortened = logs._cut(line.replace("://:a@", "://:[hidden]@"), "event")
    assert logs.redact(None, "warning", {"event": line}) == {"event": shortened}
    assert time.thread_time() - begun < 0.1


def test_log_lines_hide_secrets() -> None:
    entry = {
        "event": "to redis://:hunter2@h:1/0",
        "api_token": "t",
        "deep": "postgresql://u:hunter2@h/d",
        "n": 1,
    }
    assert logs.redact(None, "info", entry) == {
        "event": "to redis://:[hidden]@h:1/0",
        "api_token": "[hidden]",
        "deep": "postgresql://u:[hidden]@h/d",
        "n": 1,
    }


def test_log_line_leaves_out_the_middle_of_a_text_that_is_too_long() -> None:
    entry = {"event": "a" * 50_000 + "end", "exception": "b" * 50_000 + "end"}
    cut = logs.redact(None, "error", entry)
    assert len(cut["event"]) < 2_100 and len(cut["exception"]) < 10_100
    assert all(it.endswith("end") and " [...] " in it for it in (cut["event"], cut["exception"]))
