"""Secrets in URLs: declared at the route, and absent from every log line, span, error report and figure."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import get_resolver

from matches.domain import secret_urls
from matches.realtime.routing import routes as socket_routes
from tests.configuration.receiver import receiving
from tests.configuration.secret_walk import STATUSES, patterns

ROOT = Path(__file__).resolve().parents[2]
NUMBERS = ("int", "uuid")
# Parameters that are no secret though they may be any text, by the segment before each.
PUBLIC = {
    ("", "name"), (".", "form"), ("colours-", "digest"), ("commands", "key"), ("contest.", "form"), ("control", "name"),
    ("desk", "name"), ("disputes", "code"), ("games", "slug"), ("j", "code"), ("learn", "slug"), ("m", "code"),
    ("matches", "code"), ("matches", "name"), ("open", "slug"), ("password", "uidb64"), ("players", "name"),
    ("portraits", "name"), ("portraits", "seed"), ("presets", "preset"), ("problems", "code"), ("remarks", "thread"),
    ("results.", "form"), ("submissions.", "form"), ("tables", "name"),
}  # fmt: skip
OF_DJANGO = {"app_label", "content_type_id", "object_id", "url"}
PARAMETER = re.compile(r"(?P<before>[^/<>^]*)/?<(?:(?P<converter>\w+):)?(?P<name>\w+)>")


def routes() -> list[str]:
    """Every route of the service, and those of its sockets."""
    return [route for route, _ in patterns(get_resolver())] + [str(it.pattern) for it in socket_routes]


def undeclared(routes: Iterable[str]) -> list[str]:
    """The routes with a parameter of which nobody has said whether it is a secret."""
    return [
        route
        for route in routes
        for it in PARAMETER.finditer(route)
        if it["converter"] not in ("secret", *NUMBERS)
        and it["name"] not in OF_DJANGO
        and (it["before"], it["name"]) not in PUBLIC
    ]


def test_every_parameter_of_a_route_is_declared_secret_or_public() -> None:
    assert undeclared(routes()) == []


@pytest.mark.parametrize("route", ["reset/<str:token>", "files/<slug:key>", "a/<int:n>/<code>", "x/<path:secret>"])
def test_a_parameter_that_is_not_declared_is_reported(route: str) -> None:
    assert undeclared(["seasons/<uuid:season_id>", route]) == [route]


def test_every_route_with_a_secret_is_one_of_the_list() -> None:
    with_secret = {route for route in routes() if "<secret:" in route}
    used = {next(it for it in secret_urls.ROUTES if route.endswith(it)) for route in with_secret}
    assert used == set(secret_urls.ROUTES)


@pytest.mark.timeout(300)
def test_no_sink_holds_a_secret_whatever_a_route_with_one_answers(tmp_path: Path) -> None:
    with receiving() as (dsn, bodies):
        env = os.environ | {"SENTRY_DSN": dsn, "OTEL_TRACES_EXPORTER": "console"}
        command = [sys.executable, "-m", "tests.configuration.secret_walk", str(tmp_path / "walk.json")]
        done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False, timeout=280)
    assert done.returncode == 0, done.stderr[-2000:]
    walk: dict[str, Any] = json.loads((tmp_path / "walk.json").read_text())
    assert set(STATUSES) <= set(walk["statuses"])
    assert len(walk["routes"]) == len(secret_urls.ROUTES)
    sinks = {"output": done.stdout, "errors": done.stderr, "reports": "\n".join(bodies), "figures": walk["metrics"]}
    assert '"http.route"' in sinks["output"]
    for part in ("Unprocessable", "nobody took"):
        assert part in sinks["output"] and part in sinks["errors"]
    assert "LookupError" in sinks["reports"] and "new-password" in sinks["figures"]
    for name, text in sinks.items():
        leaks = [it for secret in walk["secrets"] for it in (secret[:12], secret[-12:]) if it in text]
        assert [text[text.index(it) - 200 : text.index(it) + 100] for it in leaks[:3]] == [], name


@pytest.mark.parametrize(
    "text",
    [
        "Not Found: /new-password/SECRET", "GET https://house.example/join/SECRET/withdraw 500", "/J/abcd/SECRET?x=1",
        "<ASGIRequest: GET '/sign-in?next=/unsubscribe/SECRET'>", "/sign-in?next=%2Fcalendars%2FSECRET.ics&x=1",
        "//account//email/SECRET", r'{"url":"\/api\/v1\/seasons\/joining\/SECRET"}', "/admin/password/MQ/SECRET/",
        "%252Fjoin%252FSECRET", "no such token: SECRET",
    ],
)  # fmt: skip
def test_a_secret_is_hidden_wherever_a_text_holds_its_path(text: str) -> None:
    secret = "WyJhYmMiXQ:1wXyZ0:kL3-_9aB"
    clean = secret_urls.hide(text.replace("SECRET", secret), secret_urls.secrets_in(f"/new-password/{secret}"))
    assert "WyJhYmMiXQ" not in clean and "kL3-_9aB" not in clean
    assert secret_urls.HIDDEN in clean


@pytest.mark.parametrize("text", ["/api/v1/matches/abc/join", "/m/abcd/seats", "/players/Jo", "a join/b", "/joined/x"])
def test_a_path_without_a_secret_is_left_as_it_is(text: str) -> None:
    assert secret_urls.hide(text) == text


@pytest.mark.timeout(60)
@pytest.mark.parametrize("part", ["/", "%2F", r"\/", "/j", "/j/", "%25", "/password"])
def test_a_long_run_in_a_text_takes_time_in_proportion_to_its_length(part: str) -> None:
    run = part * 100_000
    text = f"{run}/join/SECRETSECRETSECRET"
    assert secret_urls.has_secret(text)
    assert "SECRET" not in secret_urls.hide(text)
    assert "SECRETSECRETSECRET" in " ".join(secret_urls.secrets_in(text))
    assert secret_urls.hide(run).startswith(part)


def test_no_referrer_holds_the_path_of_a_page_with_a_secret() -> None:
    secret = "kL3-_9aBkL3-_9aBkL3-_9aB"
    for page in (f"/join/{secret}", f"/new-password/{secret}", f"/sign-in?next=/join/{secret}", f"/j/abcd/{secret}"):
        assert Client().get(page).headers["Referrer-Policy"] == "strict-origin"
    assert Client().get("/sign-in").headers["Referrer-Policy"] == "same-origin"
