"""Requests for views, without a server."""

from typing import Any

from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

_factory = APIRequestFactory()


def sent(data: bytes = b"", media_type: str | None = "application/json", query: str = "", **meta: Any) -> Request:
    """A POST as a view sees it."""
    kind = {} if media_type is None else {"content_type": media_type}
    request = _factory.generic("POST", f"/api/v1/somewhere?{query}", data, **kind, **meta)
    if media_type is None:
        request.META.pop("CONTENT_TYPE", None)
    return Request(request)
