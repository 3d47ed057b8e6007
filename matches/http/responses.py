"""Documents as JSON responses."""

from collections.abc import Mapping
from typing import Any

import msgspec
from django.http import HttpResponse

from games.kernel import to_json


def answer(document: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> HttpResponse:
    """Return a Struct or dict as JSON; integers above 2^53-1 become strings."""
    return HttpResponse(encode(document), status=status, content_type="application/json", headers=headers)


def nothing() -> HttpResponse:
    """Return 204 without a body."""
    response = HttpResponse(status=204)
    del response.headers["Content-Type"]
    return response


def encode(document: Any) -> bytes:
    """Return the bytes that `answer` sends."""
    return msgspec.json.encode(to_json(document))
