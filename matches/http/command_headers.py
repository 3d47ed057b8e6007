"""The headers of a command: its Idempotency-Key, and the version it was decided on; and its response."""

import re
from collections.abc import Mapping

import msgspec
from msgspec import Struct
from rest_framework.request import Request

from events.records import Point
from matches.http.etags import etag, point_in
from matches.http.operations import Header
from matches.http.problems import Problem
from matches.http.responses import Answer
from matches.services.playing import Accepted

KEY_HEADER = Header("Idempotency-Key", "Names this command; a retry sends the same one. A dry run needs none.")
VERSION_HEADER = Header(
    "If-Match",
    "The version you decided on, as the ETag gives it; its hash may be left out. Looks, rulings and appeals since then"
    " are let pass.",
)
_KEY = re.compile(r"[\x21-\x7e]{1,200}")


def key_and_point(headers: Mapping[str, str]) -> tuple[str, Point | None]:
    """Return the key, and the point that the command was decided on, if given; raise Problem.

    The names of the headers are in lower case, or found in any case.
    """
    expected = point_in(headers.get("if-match", ""))
    return key_in(headers.get("idempotency-key", "")), expected


def idempotency_key(request: Request) -> str:
    """Return the request's key; raise Problem if it is missing or invalid."""
    return key_in(request.META.get("HTTP_IDEMPOTENCY_KEY", ""))


def key_in(given: str) -> str:
    """Return the key in the header's value; raise Problem if it is empty or invalid."""
    if not given:
        raise Problem("idempotency_key_missing")
    if not _KEY.fullmatch(given):
        raise Problem("malformed", "An Idempotency-Key is 1 to 200 printable ASCII characters, no spaces.")
    return given


def command_answer(accepted: Accepted, status: int = 201) -> Answer:
    """Return the stored response to a command, byte for byte. Its ETag is that of the last event in it."""
    last = msgspec.json.decode(accepted.response, type=_Response).events[-1]
    headers = {"ETag": etag(accepted.version, last.hash)}
    if accepted.replayed:
        headers["Idempotent-Replayed"] = "true"
    return Answer(status, accepted.response, headers)


class _Chained(Struct):
    hash: str


class _Response(Struct):
    """The part of a command's response that its ETag needs."""

    events: list[_Chained]
