"""The OpenAPI document, made from what the views declare."""

import inspect
import re
from functools import cache
from typing import Any

import msgspec
import uritemplate
from django.conf import settings
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import resolve_django_path_parameter
from msgspec import Struct
from rest_framework.permissions import AllowAny

from matches.api import examples, game_schemas
from matches.http import operations
from matches.http.operations import Media, Operation
from matches.http.problem_codes import entry
from matches.http.problems import CONTENT_TYPE
from matches.http.scopes import ANY
from matches.http.strangers import is_open

_SENTENCE_END = re.compile(r"(?<=\.)\s+(?=[A-Z`])|\n\n")
_CLAUSE_END = re.compile(r"[:;]\s+")
_LONG_SUMMARY = 100
_TAGS = {
    "Play": "Open matches, take a seat, give commands, follow what happens.",
    "Season": "Run a season, play in it, follow it.",
    "History": "Events, exports and what proves them.",
    "Account": "Who you are, and the tokens of your programs.",
    "Games": "What can be played, with rules and schemas.",
    "Service": "What needs you, across matches.",
}
_SECURITY = {
    "token": {"type": "http", "scheme": "bearer", "description": "A token made by POST /api/v1/tokens."},
    "cookie": {
        "type": "apiKey",
        "in": "cookie",
        "name": settings.SESSION_COOKIE_NAME,
        "description": "A logged-in page.",
    },
}


class ProblemDocument(Struct):
    """A refusal (RFC 9457). `code` is stable; `type` leads to a page that explains it."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    request_id: str


class Schema(AutoSchema):
    """One operation, told from its declaration. A view's method without one is a mistake."""

    def get_operation(self, path: str, path_regex: str, path_prefix: str, method: str, registry: Any) -> dict[str, Any]:
        """The operation object."""
        handler = getattr(self.view, method.lower())
        if not hasattr(handler, "operation"):
            raise TypeError(f"{method} {path} declares no operation.")
        told: Operation = handler.operation
        summary, description = _said(inspect.getdoc(handler) or told.id)
        parameters = [*_in_path(path, path_regex), *_in_query(told), *_in_headers(told)]
        public = self._is_public(method)
        documented = {
            "operationId": told.id,
            "summary": summary,
            "description": "\n\n".join(filter(None, [description, self._scope(method, public)])),
            "tags": [told.tag],
            "parameters": parameters,
            "requestBody": _request_body(told),
            "responses": {
                **_answers(told),
                **_refusals(_codes(told, public, path)),
            },
        }
        line = examples.command_line(told, method, path, public=public, keyed=_is_keyed(told))
        documented["x-codeSamples"] = [{"lang": "Shell", "source": line}]
        security = [] if public else [{name: []} for name in _SECURITY]
        if method == "GET" and is_open(self.view):
            security.insert(0, {})
        return {name: value for name, value in documented.items() if value} | {"security": security}

    def _is_public(self, method: str) -> bool:
        self.view.request.method = method
        return all(isinstance(permission, AllowAny) for permission in self.view.get_permissions())

    def _scope(self, method: str, public: bool) -> str:
        scope = getattr(self.view, "scopes", {}).get(method, "session")
        if public or scope == ANY:
            return ""
        return "Not open to tokens." if scope == "session" else f"A token needs the scope `{scope}`."


def add_components(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """A postprocessing hook: the schemas that operations point to, by name, tags and security."""
    result["components"] = {"schemas": dict(sorted(_components()[1].items())), "securitySchemes": _SECURITY}
    result["tags"] = [{"name": name, "description": text} for name, text in _TAGS.items()]
    return result


@cache
def document() -> bytes:
    """The whole document as JSON; it changes with the code alone."""
    return msgspec.json.encode(SchemaGenerator().get_schema(request=None, public=True))


@cache
def _components() -> tuple[dict[Any, dict[str, Any]], dict[str, Any]]:
    """For each declared type where its schema stands, and the schemas."""
    kinds = list(dict.fromkeys([ProblemDocument, *(kind for told in operations.declared for kind in _kinds(told))]))
    references, schemas = msgspec.json.schema_components(kinds, ref_template=game_schemas.REFS)
    told = game_schemas.told_by_game(game_schemas.linked(schemas))
    return dict(
        zip(map(repr, kinds), game_schemas.linked(list(references)), strict=True)
    ), told | game_schemas.of_games()


def _said(words: str) -> tuple[str, str]:
    """The first sentence as a summary, or its first clause where that is long, and all that follows."""
    first, *rest = _SENTENCE_END.split(words, maxsplit=1)
    if len(first) > _LONG_SUMMARY:
        first, *clauses = _CLAUSE_END.split(first, maxsplit=1)
        rest = [*(clause[0].upper() + clause[1:] for clause in clauses), *rest]
    return " ".join(first.split()).rstrip("."), "\n\n".join(rest).strip()


def _kinds(told: Operation) -> list[Any]:
    answers = [given.json if isinstance(given, Media) else given for given in told.answers.values()]
    body = None if isinstance(told.body, Media) else told.body
    return [kind for kind in (body, *answers) if kind is not None]


def _schema_of(kind: Any) -> dict[str, Any]:
    return _components()[0][repr(kind)]


def _in_path(path: str, path_regex: str) -> list[dict[str, Any]]:
    found = []
    for name in uritemplate.variables(path):
        known = resolve_django_path_parameter(path_regex, name, [])
        schema = known["schema"] if known else {"type": "string"}
        example = examples.PARAMETERS[name]
        found.append({"in": "path", "name": name, "required": True, "schema": schema, "example": example})
    return found


def _in_query(told: Operation) -> list[dict[str, Any]]:
    schema = msgspec.json.schema_components([told.query])[1][told.query.__name__]
    return [
        {
            "in": "query",
            "name": field,
            "required": field in schema.get("required", ()),
            "schema": _without_null(of_field),
        }
        for field, of_field in schema["properties"].items()
    ]


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """A parameter that isn't given is left out; there is no null in a URL."""
    schema = {name: value for name, value in schema.items() if not (name == "default" and value is None)}
    if "anyOf" not in schema:
        return schema
    kinds = [kind for kind in schema.pop("anyOf") if kind != {"type": "null"}]
    return {**schema, **kinds[0]} if len(kinds) == 1 else {**schema, "anyOf": kinds}


def _is_keyed(told: Operation) -> bool:
    return any(header.name == "Idempotency-Key" for header in told.headers)


def _in_headers(told: Operation) -> list[dict[str, Any]]:
    return [
        {
            "in": "header",
            "name": header.name,
            "description": header.description,
            "required": header.required,
            "schema": {"type": "string"},
            "example": examples.PARAMETERS[header.name],
        }
        for header in told.headers
    ]


def _request_body(told: Operation) -> dict[str, Any] | None:
    if told.body is None:
        return None
    if isinstance(told.body, Media):
        content: dict[str, Any] = {name: {"schema": {"type": "string", "format": "binary"}} for name in told.body.types}
    else:
        content = {"application/json": {"schema": _schema_of(told.body), "example": examples.body_example(told)}}
    return {"required": not told.may_be_empty, "content": content}


def _answers(told: Operation) -> dict[str, Any]:
    return {str(status): _answer(given) for status, given in told.answers.items()}


def _answer(given: Any) -> dict[str, Any]:
    if given is None:
        return {"description": "Done."}
    if isinstance(given, Media):
        content: dict[str, Any] = {name: {"schema": {"type": "string"}} for name in given.types}
        if given.json is not None:
            content["application/json"] = {"schema": _schema_of(given.json)}
        return {"description": "As asked for.", "content": content}
    return {"description": _first_line(given), "content": {"application/json": {"schema": _schema_of(given)}}}


def _first_line(kind: Any) -> str:
    return (getattr(kind, "__doc__", None) or "Done.").strip().split("\n")[0]


def _codes(told: Operation, public: bool, path: str) -> list[str]:
    """The refusals that are possible: the operation's own and those of every address like it."""
    codes = ["malformed", "method_not_allowed", "internal", "unavailable", *told.problems]
    if uritemplate.variables(path):
        codes.append("not_found")
    if path.startswith("/api/v1/matches/"):
        codes.append("record_broken")
    if "as_" in told.query.__struct_fields__:
        # A look as the host is an act of a host.
        codes.append("plays_here")
    if told.body is not None:
        codes += ["too_large", "unsupported_media_type"]
    if not public:
        codes += [
            "not_authenticated",
            "bad_token",
            "forbidden",
            "missing_scope",
            "csrf_failed",
            "too_many_requests",
        ]
    return list(dict.fromkeys(codes))


def _refusals(codes: list[str]) -> dict[str, Any]:
    by_status: dict[int, list[str]] = {}
    for code in codes:
        by_status.setdefault(entry(code).status, []).append(code)
    content = {CONTENT_TYPE: {"schema": _schema_of(ProblemDocument)}}
    return {
        str(status): {"description": ", ".join(f"`{code}`" for code in sorted(of_status)), "content": content}
        for status, of_status in sorted(by_status.items())
    }
