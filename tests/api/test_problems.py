"""Every error is a problem document, and none tells more than it should."""

import json
import logging
from typing import Any

import django.db
import psycopg
import pytest
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.http import Http404, HttpResponse
from django.test import Client, override_settings
from psycopg_pool import PoolTimeout
from rest_framework import exceptions as drf

from events.records import StreamClosed
from games.kernel import Illegal
from matches.http.overload import Overloaded
from matches.http.problem_codes import PROBLEMS, entry
from matches.http.problems import Problem, handle
from matches.services import playing
from matches.storage.repository import NoSuchMatch
from tests.api.asking import sent

client = Client(headers={"host": "localhost"})

MEANT = {
    "a problem": (Problem("version_behind"), 412, "version_behind"),
    "a rule's refusal": (Illegal("unsupported", "C3 needs both bricks below it."), 422, "unsupported"),
    "out of turn": (Illegal("not_your_turn", "It isn't your turn."), 409, "not_your_turn"),
    "over": (Illegal("match_over", "The match is over."), 409, "match_over"),
    "the dealer's turn": (Illegal("dealer_due", "Wait."), 409, "dealer_due"),
    "another phase": (Illegal("not_now", "Now you may place."), 409, "not_now"),
    "too late": (Illegal("flag_fallen", "Your time ran out."), 409, "flag_fallen"),
    "a shapeless command": (Illegal("malformed", "No."), 400, "malformed"),
    "a command that isn't": (Illegal("unknown_command", "No."), 400, "unknown_command"),
    "the match moved on": (playing.VersionMoved(7), 412, "version_behind"),
    "the key was used": (playing.KeyReused(), 422, "idempotency_key_reused"),
    "another's flag": (playing.FlagUndecided(), 503, "overloaded"),
    "not yours": (playing.NotAllowed("That seat is not yours."), 403, "forbidden"),
    "no match": (NoSuchMatch("x"), 404, "not_found"),
    "closed": (StreamClosed("x"), 409, "match_over"),
    "anonymous": (drf.NotAuthenticated(), 401, "not_authenticated"),
    "refused": (drf.PermissionDenied(), 403, "forbidden"),
    "missing": (drf.NotFound(), 404, "not_found"),
    "method": (drf.MethodNotAllowed("PUT"), 405, "method_not_allowed"),
    "accept": (drf.NotAcceptable(), 406, "not_acceptable"),
    "media type": (drf.UnsupportedMediaType("text/plain"), 415, "unsupported_media_type"),
    "throttled": (drf.Throttled(wait=7.2), 429, "too_many_requests"),
    "Django's 404": (Http404("secret"), 404, "not_found"),
    "Django's 403": (PermissionDenied("secret"), 403, "forbidden"),
    "Django's 413": (RequestDataTooBig("secret"), 413, "too_large"),
    "suspicious": (SuspiciousOperation("secret"), 400, "malformed"),
    "no database": (psycopg.OperationalError("secret"), 503, "unavailable"),
    "no database, says Django": (django.db.OperationalError("secret"), 503, "unavailable"),
    "a full pool": (PoolTimeout("secret"), 503, "unavailable"),
    "anything else": (ZeroDivisionError("secret"), 500, "internal"),
    "a fault of DRF's": (drf.APIException("secret"), 500, "internal"),
}


def response_to(exc: Exception) -> tuple[HttpResponse, dict[str, Any]]:
    request = sent()
    request._request.request_id = "req-12345"
    response = handle(exc, {"request": request})
    return response, json.loads(response.content)


@pytest.mark.parametrize(("exc", "status", "code"), MEANT.values(), ids=MEANT.keys())
def test_each_exception_has_its_problem(exc: Exception, status: int, code: str) -> None:
    response, document = response_to(exc)
    assert response.status_code == document["status"] == status
    assert response.headers["Content-Type"] == "application/problem+json"
    assert document["code"] == code
    assert document["type"] == f"/problems/{code}"
    assert document["request_id"] == "req-12345"
    assert document["title"] and document["detail"]
    assert "secret" not in response.content.decode()


def test_problem_401_names_the_authentication_scheme() -> None:
    assert response_to(drf.NotAuthenticated())[0].headers["WWW-Authenticate"] == "Bearer"


def test_problems_have_retry_after() -> None:
    assert response_to(drf.Throttled(wait=7.2))[0].headers["Retry-After"] == "8"
    assert response_to(psycopg.OperationalError())[0].headers["Retry-After"] == "1"


def test_overloaded_problem_has_the_same_seconds_in_header_and_document() -> None:
    for exc in (playing.FlagUndecided(), Overloaded(3)):
        response, document = response_to(exc)
        assert response.headers["Retry-After"] == str(document["retry_after"])


def test_further_members_are_in_the_problem_document() -> None:
    _, document = response_to(Problem("not_now", "Place first.", legal=["place C3"], seed=2**60))
    assert document["detail"] == "Place first."
    assert document["legal"] == ["place C3"]
    assert document["seed"] == str(2**60)


def test_unexpected_exception_is_logged_with_its_traceback(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        response_to(ZeroDivisionError("why"))
    assert isinstance(caplog.records[-1].msg["exc_info"], ZeroDivisionError)


def test_refusal_by_a_game_has_a_title_and_a_remedy() -> None:
    status, title, what_to_do = entry("no_such_brick")
    assert status == 422 and title and "GET .../legal" in what_to_do


def test_every_code_has_a_title_and_a_remedy() -> None:
    for code, (status, title, what_to_do) in PROBLEMS.items():
        assert code.replace("_", "").isalpha()
        assert 400 <= status < 600
        assert title[0].isupper() and not title.endswith(".")
        assert what_to_do.endswith(".")


def test_a_games_own_code_is_422() -> None:
    assert entry("unsupported").status == 422


@pytest.mark.parametrize("code", ["not_now", "unsupported"])
def test_each_code_has_a_page(code: str) -> None:
    page = client.get(f"/problems/{code}")
    assert page.status_code == 200
    assert code in page.content.decode()


def test_all_codes_are_listed() -> None:
    page = client.get("/problems/").content.decode()
    assert all(f"/problems/{code}" in page for code in PROBLEMS)


@pytest.mark.parametrize("debug", [False, True])
def test_unknown_addresses_of_the_api_are_problems(debug: bool) -> None:
    with override_settings(DEBUG=debug):
        response = client.get("/api/v1/nowhere")
    assert response.status_code == 404
    assert response.json()["code"] == "not_found"
    assert response.json()["request_id"] == response.headers["X-Request-ID"]


def test_writes_to_unknown_addresses_are_no_cross_site_matter() -> None:
    strict = Client(enforce_csrf_checks=True, headers={"host": "localhost"})
    assert strict.delete("/api/v1/nowhere").json()["code"] == "not_found"


def test_other_unknown_addresses_get_a_page() -> None:
    response = client.get("/nowhere")
    assert response.status_code == 404
    assert response.headers["Content-Type"].startswith("text/html")


def test_unknown_host_header_gets_a_problem() -> None:
    response = Client(headers={"host": "evil.example"}).get("/api/v1/me")
    assert response.status_code == 400
    assert response.json()["code"] == "bad_host"
