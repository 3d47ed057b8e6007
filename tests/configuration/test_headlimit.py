"""A request's line and headers have a limit, whatever the parser lets through."""

import json

import pytest

from config.server.headlimit import HEAD_LIMIT, HeadLimit
from config.server.refusing import Message
from tests.configuration.asgi import answered


def messages_for(headers: list[tuple[bytes, bytes]], query: bytes = b"") -> list[Message]:
    """Return the messages that a client with these headers receives."""
    return answered(HeadLimit, raw_path=b"/", query_string=query, headers=headers)


def test_headers_within_the_limit_are_accepted() -> None:
    assert [it["status"] for it in messages_for([(b"x", b"a" * (HEAD_LIMIT - 2))])] == [204]


@pytest.mark.parametrize(
    ("headers", "query"),
    [
        ([(b"x", b"a" * (HEAD_LIMIT - 1))], b""),
        ([(b"x", b"a")] * HEAD_LIMIT, b""),
        ([], b"q" * HEAD_LIMIT),
    ],
    ids=["a long header", "many headers", "a long query"],
)
def test_headers_above_the_limit_get_431_with_a_problem(headers: list[tuple[bytes, bytes]], query: bytes) -> None:
    start, body = messages_for(headers, query)
    problem = json.loads(body["body"])
    assert start["status"] == problem["status"] == 431
    assert problem["code"] == "headers_too_large" and str(HEAD_LIMIT) in problem["detail"]
