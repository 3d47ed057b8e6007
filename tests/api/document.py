"""The OpenAPI document as clients read it: its operations, and whether an answer is one that it promises."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any
from urllib.parse import urlsplit

import jsonschema_rs

from matches.api import schema
from matches.http.problem_codes import PROBLEMS

PROBLEM = "application/problem+json"
DOCUMENT: dict[str, Any] = json.loads(schema.document())


@dataclass(frozen=True)
class Promised:
    """One operation of the document."""

    id: str
    method: str
    path: str
    declaration: Mapping[str, Any]

    @property
    def body(self) -> dict[str, Any] | None:
        """The schema of its JSON body, followed to where it stands; None where it takes none, or a file."""
        content = self.declaration.get("requestBody", {}).get("content", {})
        schema = content.get("application/json", {}).get("schema", {"format": "binary"})
        return None if schema.get("format") == "binary" else resolved(schema)

    @property
    def example(self) -> Any:
        """The example of its JSON body; None where it takes none."""
        content = self.declaration.get("requestBody", {}).get("content", {})
        return content.get("application/json", {}).get("example")

    def parameters(self, place: str) -> list[str]:
        """The names of its parameters in `path`, `query` or `header`."""
        return [parameter["name"] for parameter in self.declaration.get("parameters", ()) if parameter["in"] == place]

    def at(self, **names: str) -> str:
        """Its address below /api/v1."""
        return self.path.removeprefix("/api/v1").format(**names)

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Return the pattern of the addresses of this operation."""
        return re.compile(re.sub(r"\{\w+\}", "[^/]+", self.path))


def resolved(reference: dict[str, Any]) -> dict[str, Any]:
    """A schema, or what it refers to."""
    if "$ref" not in reference:
        return reference
    return DOCUMENT["components"]["schemas"][reference["$ref"].rpartition("/")[2]]


def _promised() -> Iterator[Promised]:
    for path, item in DOCUMENT["paths"].items():
        for method, operation in item.items():
            yield Promised(operation["operationId"], method.upper(), path, operation)


OPERATIONS = {operation.id: operation for operation in _promised()}

OF_SEASONS = frozenset(it.id for it in OPERATIONS.values() if it.path.startswith("/api/v1/seasons"))
"""The operations on seasons; their tables stand in test_seasons_identities."""

OF_CONTESTS = frozenset(it.id for it in OPERATIONS.values() if it.path.startswith("/api/v1/contests"))
"""The operations on the library of contests; their table is in test_contests."""


def operation_at(method: str, url: str) -> Promised | None:
    """The operation that a request asks for, if there is one."""
    path, method = urlsplit(url).path, "GET" if method == "HEAD" else method
    candidates = (it for it in OPERATIONS.values() if it.method == method and it.pattern.fullmatch(path))
    return min(candidates, key=lambda it: it.path.count("{"), default=None)


def check_answer(method: str, url: str, status: int, headers: Mapping[str, str], body: bytes) -> None:
    """Check an answer of the API: documented status and media type, its schema, and the headers that never change."""
    assert status < 500, f"{method} {url} answered {status}: {body[:500]!r}"
    assert headers["Cache-Control"] == "private, no-store"
    assert headers["X-Content-Type-Options"] == "nosniff"
    if status >= 400:
        _check_problem(method, status, headers, body)
    operation = operation_at(method, url)
    if operation is None:
        is_undocumented = status in (404, 405) or (method, status) == ("OPTIONS", 204)
        assert is_undocumented, f"{method} {url} is not in the document and answered {status}."
        return
    promised = operation.declaration["responses"].get(str(status))
    assert promised, f"{operation.id} answered {status}, which its document doesn't list: {body[:500]!r}"
    if status >= 400 and body:
        code = json.loads(body)["code"]
        assert f"`{code}`" in promised["description"] or code not in PROBLEMS, f"{operation.id} doesn't list {code}."
    _check_content(operation, status, headers, body, method == "HEAD")


def _check_problem(method: str, status: int, headers: Mapping[str, str], body: bytes) -> None:
    assert headers["Content-Type"] == PROBLEM
    if status == 401:
        assert headers["WWW-Authenticate"].startswith("Bearer")
    if method == "HEAD":
        return
    problem = json.loads(body)
    assert problem["status"] == status
    assert problem["type"] == f"/problems/{problem['code']}"
    assert problem["request_id"] == headers["X-Request-ID"]


def _check_content(operation: Promised, status: int, headers: Mapping[str, str], body: bytes, no_body: bool) -> None:
    content = operation.declaration["responses"][str(status)].get("content", {})
    if not content:
        assert not body, f"{operation.id} promises nothing with {status}."
        return
    media_type = headers["Content-Type"].partition(";")[0]
    assert media_type in content, f"{operation.id} answered {media_type}."
    if media_type in ("application/json", PROBLEM) and not no_body:
        _validator(operation.id, status, media_type).validate(json.loads(body))


@cache
def _validator(operation: str, status: int, media_type: str) -> Any:
    promised = OPERATIONS[operation].declaration["responses"][str(status)]["content"][media_type]["schema"]
    # With all schemas at each one's side, to make them ready takes most of the time that all checks take.
    schemas = DOCUMENT["components"]["schemas"]
    needed = {name: schemas[name] for name in _named_from(promised, schemas)}
    return jsonschema_rs.Draft202012Validator({**promised, "components": {"schemas": needed}}, validate_formats=True)


def _named_from(promised: Any, schemas: Mapping[str, Any]) -> set[str]:
    """The schemas that one refers to, and those that they refer to in turn."""
    needed, left = set[str](), [promised]
    while left:
        names = set(re.findall(r'"#/components/schemas/([^"/]+)"', json.dumps(left.pop()))) - needed
        needed |= names
        left += [schemas[name] for name in names]
    return needed
