"""The OpenAPI document: valid, complete, and closed in itself."""

import json
import re
import shlex
from itertools import pairwise
from typing import Any
from urllib.parse import urlsplit

import pytest
import schemathesis
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory
from rest_framework.views import APIView

from matches.http.operations import Operation, declared
from matches.http.parsing import convert, read_query
from matches.http.scopes import ANY, SCOPES, HasScope
from tests.api.document import OPERATIONS, Promised

client = Client(headers={"host": "localhost"})
METHODS = ("get", "post", "put", "patch", "delete")


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    response = client.get("/api/schema")
    assert response.headers["Content-Type"] == "application/json"
    return response.json()


def views(patterns: list[Any], route: str = "") -> list[tuple[str, type[APIView]]]:
    classes = []
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            classes += views(pattern.url_patterns, route + str(pattern.pattern))
        elif isinstance(pattern, URLPattern) and hasattr(pattern.callback, "cls"):
            classes.append((route + str(pattern.pattern), pattern.callback.cls))
    return classes


VIEWS = views(get_resolver().url_patterns)


def test_schema_is_valid(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1")
    schemathesis.openapi.from_dict(document).validate()


def test_every_reference_is_defined_and_used(document: dict[str, Any]) -> None:
    text = json.dumps(document)
    assert set(re.findall(r'"#/components/schemas/([^"]+)"', text)) == set(document["components"]["schemas"])
    assert not re.search(r'"\$ref": "(?!#/components/schemas/)', text)


def test_no_component_name_contains_a_module_path(document: dict[str, Any]) -> None:
    assert [name for name in document["components"]["schemas"] if "." in name] == []


def test_schemas_are_sorted_by_name(document: dict[str, Any]) -> None:
    assert list(document["components"]["schemas"]) == sorted(document["components"]["schemas"])


def test_document_contains_no_match_and_no_external_link(document: dict[str, Any]) -> None:
    text = json.dumps(document).replace("https://hooks.example.org/", "")
    assert "http://" not in text
    assert "https://" not in text


def test_operation_ids_are_short_and_their_own() -> None:
    ids = [promised.id for promised in declared]
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch("[a-z][A-Za-z]{1,24}", name) for name in ids)


@pytest.mark.parametrize(("route", "view"), VIEWS, ids=[route for route, _ in VIEWS])
def test_every_method_of_every_view_is_declared(route: str, view: type[APIView], document: dict[str, Any]) -> None:
    path = "/" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route)
    for method in METHODS:
        handler = getattr(view, method, None)
        if handler is None:
            continue
        assert isinstance(handler.operation, Operation)
        operation = document["paths"][path][method]
        assert operation["operationId"] == handler.operation.id
        assert re.fullmatch(r"[A-Z][^\n]{2,160}[^.\s]", operation["summary"])
        assert re.match(r"$|[A-Z`]", operation.get("description", "")) and "\n  " not in operation.get(
            "description", ""
        )
        refusals = {status: answer for status, answer in operation["responses"].items() if status >= "400"}
        assert {"400", "500", "503"} <= set(refusals)
        assert all(list(answer["content"]) == ["application/problem+json"] for answer in refusals.values())


@pytest.mark.parametrize(("route", "view"), VIEWS, ids=[route for route, _ in VIEWS])
def test_every_view_declares_its_scope(route: str, view: type[APIView]) -> None:
    if AllowAny in view.permission_classes:
        return
    assert HasScope in view.permission_classes
    assert set(view.scopes.values()) <= {ANY, *SCOPES}


@pytest.mark.parametrize("promised", OPERATIONS.values(), ids=OPERATIONS)
def test_every_operation_has_an_example_that_is_valid(promised: Promised) -> None:
    """Check the syntax alone; the tables of identities send these requests and check the answers."""
    by_id = {operation.id: operation for operation in declared}
    (sample,) = promised.declaration["x-codeSamples"]
    command = shlex.split(sample["source"])
    options = {before: after for before, after in pairwise(command) if before in ("-X", "--json")}
    address = urlsplit(next(part for part in command if part.startswith("$CROUPIER/")))
    route = re.sub(r"\$[A-Z_]+", "_", address.path.removeprefix("$CROUPIER"))
    assert (options.get("-X", "GET"), route) == (promised.method, re.sub(r"\{\w+\}", "_", promised.path))
    is_keyed = any(part.startswith("Idempotency-Key: ") for part in command)
    assert is_keyed == ("Idempotency-Key" in promised.parameters("header"))
    assert ("Authorization: Bearer $TOKEN" in command) == bool(promised.declaration["security"])
    if promised.body is not None:
        assert json.loads(options["--json"]) == promised.example
        convert(promised.example, by_id[promised.id].body)
    read_query(Request(APIRequestFactory().get(f"/?{address.query}")), by_id[promised.id].query)


def test_the_docs_load_nothing_from_outside() -> None:
    page = client.get("/api/docs")
    text = page.content.decode()
    assert re.findall(r'(?:src|href)="([^"]+)"', text)
    for address in re.findall(r'(?:src|href)="([^"]+)"', text):
        assert address == "data:," or re.match("/(?!/)", address)
    assert "<script>" not in text and "onclick" not in text
    policy = page.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "http" not in policy


@pytest.mark.parametrize(
    "file", re.findall(r'(?:src|href)="(/static/[^"]+)"', client.get("/api/docs").content.decode())
)
def test_assets_of_the_docs_are_served(file: str) -> None:
    response = client.get(file)
    assert response.status_code == 200
    assert b"".join(response.streaming_content)
