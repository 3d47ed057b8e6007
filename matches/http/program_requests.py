"""The usual requests of programs, read directly from the ASGI scope: with a token, without a cookie, and without
anything that needs a proxy's or CORS handling. All others are for Django."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port, validate_host
from django.middleware.clickjacking import XFrameOptionsMiddleware
from django.middleware.security import SecurityMiddleware
from django.utils.module_loading import import_string

from matches.http import request_ids
from matches.http.authentication import bearer_in

_PATH = re.compile(
    r"/api/v1/matches/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/(commands|view|events)"
)
_UNUSUAL = frozenset({b"cookie", b"origin", b"transfer-encoding", b"expect"})
_CORS = "corsheaders.middleware.CorsMiddleware"


class ProgramRequest(NamedTuple):
    """A program's request about a match. `bearer` is its token, valid or not; `headers` have lower-case names."""

    method: str
    match_id: UUID
    about: str
    query: str
    address: str
    scheme: str
    bearer: str
    headers: Mapping[str, str]
    traceparent: str


def read(scope: Mapping[str, Any]) -> ProgramRequest | None:
    """Return the request in a scope; None if it is for Django."""
    path_match = _PATH.fullmatch(scope["path"]) if scope["type"] == "http" and not scope.get("root_path") else None
    if path_match is None:
        return None
    named = dict(scope["headers"])
    if len(named) < len(scope["headers"]) or not _UNUSUAL.isdisjoint(named):
        return None
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in named.items()}
    bearer = bearer_in(headers.get("authorization", ""))
    if not bearer or not _is_ours(headers.get("host", ""), tuple(settings.ALLOWED_HOSTS)):
        return None
    if settings.SECURE_SSL_REDIRECT and scope["scheme"] != "https":
        return None
    return ProgramRequest(
        scope["method"], UUID(path_match[1]), path_match[2], scope["query_string"].decode("latin-1"),
        (scope.get("client") or ("",))[0], scope["scheme"], bearer, headers, scope.get(request_ids.TRACEPARENT, ""),
    )  # fmt: skip


@lru_cache(maxsize=256)
def _is_ours(host: str, allowed: tuple[str, ...]) -> bool:
    domain, _ = split_domain_port(host)
    return bool(domain) and validate_host(domain, allowed)


@lru_cache(maxsize=8)
def common_headers(scheme: str) -> Mapping[str, str]:
    """Return the headers that Django's middleware adds to every response to such a request, by its scheme."""
    scope = {"type": "http", "method": "GET", "path": "/api/", "query_string": b"", "headers": [], "scheme": scheme}

    def answer(_: HttpRequest) -> HttpResponse:
        return HttpResponse(content_type="application/json")

    chain: Any = SecurityMiddleware(XFrameOptionsMiddleware(answer))
    if _CORS in settings.MIDDLEWARE:
        chain = import_string(_CORS)(chain)
    return {**chain(ASGIRequest(scope, None)).headers, **request_ids.COMMON_HEADERS}
