"""Only the versions of HTTP that are spoken here reach the application."""

import json

import pytest

from config.server.httpversion import KnownVersion
from tests.configuration.asgi import answered


@pytest.mark.parametrize("version", ["1.0", "1.1"])
def test_a_version_that_is_spoken_passes(version: str) -> None:
    assert [message.get("status") for message in answered(KnownVersion, http_version=version)] == [204]


@pytest.mark.parametrize("version", ["0.9", "1.2", "2.0", "7.9"])
def test_any_other_is_refused_in_words(version: str) -> None:
    start, body = answered(KnownVersion, http_version=version)
    problem = json.loads(body["body"])
    assert start["status"] == problem["status"] == 400
    assert problem["code"] == "malformed" and "HTTP/1.1" in problem["detail"]
