"""Responses: documents as JSON, and what Django and the event loop both can send."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
from django.http import HttpResponse

from games.kernel import to_json


class Answer(NamedTuple):
    """A response without the headers that middleware adds. The event loop sends it as it is."""

    status: int
    body: bytes
    headers: Mapping[str, str]
    content_type: str = "application/json"

    def for_django(self) -> HttpResponse:
        """Return it as Django's response."""
        return HttpResponse(self.body, status=self.status, content_type=self.content_type, headers=self.headers)


def answer(document: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> HttpResponse:
    """Return a Struct or dict as JSON; integers above 2^53-1 become strings."""
    return Answer(status, encode(document), headers or {}).for_django()


def nothing() -> HttpResponse:
    """Return 204 without a body."""
    response = HttpResponse(status=204)
    del response.headers["Content-Type"]
    return response


def encode(document: Any) -> bytes:
    """Return the bytes that `answer` sends."""
    return msgspec.json.encode(to_json(document))
