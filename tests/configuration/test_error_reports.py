"""Reports of errors to Sentry: they contain the error, its place and its request, and no value of a variable."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import error_reports
from tests.configuration.failing_house import CANARY
from tests.configuration.receiver import receiving
from tests.waiting import PATIENCE

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def received() -> Iterator[list[str]]:
    """All that a failing process has sent to the address of its SENTRY_DSN."""
    with receiving() as (dsn, bodies):
        command = [sys.executable, "-m", "tests.configuration.failing_house"]
        env = os.environ | {"SENTRY_DSN": dsn}
        done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    assert CANARY in done.stdout + done.stderr, "The house's own log does tell what failed."
    yield bodies


@pytest.fixture(scope="module")
def reports(received: list[str]) -> list[dict[str, Any]]:
    """The events among it."""
    documents = [json.loads(line) for body in received for line in body.splitlines()]
    return [it for it in documents if "level" in it]


@pytest.mark.slow
def test_no_value_leaves(received: list[str], reports: list[dict[str, Any]]) -> None:
    assert len(reports) >= 7
    for body in received:
        assert CANARY not in body
        for part in ('"request"', '"vars"', '"extra"', '"user"', '"breadcrumbs"'):
            assert part not in body
    keys = {*error_reports._UNCHANGED, "tags", "logentry", "exception"}
    assert {key for report in reports for key in report} <= keys


@pytest.mark.slow
def test_a_report_says_which_error_where_and_in_which_request(reports: list[dict[str, Any]]) -> None:
    by_line = {report["logentry"]["message"]: report for report in reports}
    for line, request, more in (
        ("%s: %s", "caller-1234", {}),
        ("match_not_served", "caller-5678", {"match": "m-1"}),
        ("socket failed", "caller-5678", {}),
        ("it is %s", "caller-5678", {}),
    ):
        report = by_line[line]
        assert report["tags"] == {"request_id": request} | more
        assert report["exception"]["values"][-1]["type"] == "LookupError"
        frame = report["exception"]["values"][-1]["stacktrace"]["frames"][-1]
        assert frame["function"] == "fail" and frame["context_line"].strip().startswith("raise LookupError(")


def test_chained_exceptions_are_reported_together(reports: list[dict[str, Any]]) -> None:
    chained = next(
        it for it in reports if it.get("exception", {}).get("values", [{}])[-1].get("type") == "RuntimeError"
    )
    assert [it["type"] for it in chained["exception"]["values"]] == ["LookupError", "RuntimeError"]


def test_without_an_address_nothing_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentry_sdk", None)
    error_reports.begin("", "0")
    with pytest.raises(ImproperlyConfigured, match="bin/setup --observability"):
        error_reports.begin("http://key@127.0.0.1:1/1", "0")


def test_invalid_dsn_is_refused_without_its_value() -> None:
    with pytest.raises(ImproperlyConfigured, match="SENTRY_DSN") as refused:
        error_reports.begin("kestrel", "0")
    assert "kestrel" not in str(refused.value)
