"""The OpenAPI document, generated from the views' declarations."""

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
from msgspec import UNSET, Struct, UnsetType
from rest_framework.permissions import AllowAny

from games.kernel import Fault
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
    """A refusal (RFC 9457). `code` is stable; `type` leads to a page that explains it. `faults` are all faults of
    refused options or of a refused command, at most 500, of a game that lists them, as a contest does."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    request_id: str
    faults: list[Fault] | UnsetType = UNSET


class Schema(AutoSchema):
    """The generator of an operation from its declaration. A view's method without one is a mistake."""

    def get_operation(self, path: str, path_regex: str, path_prefix: str, method: str, registry: Any) -> dict[str, Any]:
        """Return the operation object."""
        handler = getattr(self.view, method.lower())
        if not hasattr(handler, "operation"):
            raise TypeError(f"{method} {path} declares no operation.")
        declaration: Operation = handler.operation
        summary, description = _summarised(inspect.getdoc(handler) or declaration.id)
        parameters = [*_in_path(path, path_regex), *_in_query(declaration), *_in_headers(declaration)]
        public = self._is_public(method)
        documented = {
            "operationId": declaration.id,
            "summary": summary,
            "description": "\n\n".join(filter(None, [description, self._scope(method, public)])),
            "tags": [declaration.tag],
            "parameters": parameters,
            "requestBody": _request_body(declaration),
            "responses": {
                **_answers(declaration),
                **_refusals(_codes(declaration, public, path)),
            },
        }
        line = examples.command_line(declaration, method, path, public=public, keyed=_is_keyed(declaration))
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
    """Add the schemas that operations refer to, tags and security; a postprocessing hook."""
    result["components"] = {"schemas": dict(sorted(_components()[1].items())), "securitySchemes": _SECURITY}
    result["tags"] = [{"name": name, "description": text} for name, text in _TAGS.items()]
    return result


@cache
def document() -> bytes:
    """Return the whole document as JSON; it changes only with the code."""
    return msgspec.json.encode(SchemaGenerator().get_schema(request=None, public=True))


@cache
def _components() -> tuple[dict[Any, dict[str, Any]], dict[str, Any]]:
    """Return the reference of each declared type, and the schemas."""
    kinds = list(
        dict.fromkeys([ProblemDocument, *(kind for by_game in operations.declared for kind in _kinds(by_game))])
    )
    references, schemas = msgspec.json.schema_components(kinds, ref_template=game_schemas.REFS)
    by_game = game_schemas.named_by_game(game_schemas.linked(schemas))
    return dict(
        zip(map(repr, kinds), game_schemas.linked(list(references)), strict=True)
    ), by_game | game_schemas.of_games()


def _summarised(words: str) -> tuple[str, str]:
    """Return the first sentence as a summary, or its first clause if it is long, and all that follows."""
    first, *rest = _SENTENCE_END.split(words, maxsplit=1)
    if len(first) > _LONG_SUMMARY:
        first, *clauses = _CLAUSE_END.split(first, maxsplit=1)
        rest = [*(clause[0].upper() + clause[1:] for clause in clauses), *rest]
    return " ".join(first.split()).rstrip("."), "\n\n".join(rest).strip()


def _kinds(declaration: Operation) -> list[Any]:
    answers = [given.json if isinstance(given, Media) else given for given in declaration.answers.values()]
    body = None if isinstance(declaration.body, Media) else declaration.body
    return [kind for kind in (body, *answers) if kind is not None]


def _schema_of(kind: Any) -> dict[str, Any]:
    return _components()[0][repr(kind)]


def _in_path(path: str, path_regex: str) -> list[dict[str, Any]]:
    in_path = []
    for name in uritemplate.variables(path):
        resolved = resolve_django_path_parameter(path_regex, name, [])
        schema = resolved["schema"] if resolved else {"type": "string"}
        example = examples.PARAMETERS[name]
        in_path.append({"in": "path", "name": name, "required": True, "schema": schema, "example": example})
    return in_path


def _in_query(declaration: Operation) -> list[dict[str, Any]]:
    schema = msgspec.json.schema_components([declaration.query])[1][declaration.query.__name__]
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
    """Return a parameter's schema without null, which URLs can't express: a missing parameter is left out."""
    schema = {name: value for name, value in schema.items() if not (name == "default" and value is None)}
    if "anyOf" not in schema:
        return schema
    kinds = [kind for kind in schema.pop("anyOf") if kind != {"type": "null"}]
    return {**schema, **kinds[0]} if len(kinds) == 1 else {**schema, "anyOf": kinds}


def _is_keyed(declaration: Operation) -> bool:
    return any(header.name == "Idempotency-Key" for header in declaration.headers)


def _in_headers(declaration: Operation) -> list[dict[str, Any]]:
    return [
        {
            "in": "header",
            "name": header.name,
            "description": header.description,
            "required": header.required,
            "schema": {"type": "string"},
            "example": examples.PARAMETERS[header.name],
        }
        for header in declaration.headers
    ]


def _request_body(declaration: Operation) -> dict[str, Any] | None:
    if declaration.body is None:
        return None
    if isinstance(declaration.body, Media):
        content: dict[str, Any] = {
            name: {"schema": {"type": "string", "format": "binary"}} for name in declaration.body.types
        }
    else:
        content = {
            "application/json": {"schema": _schema_of(declaration.body), "example": examples.body_example(declaration)}
        }
    return {"required": not declaration.may_be_empty, "content": content}


def _answers(declaration: Operation) -> dict[str, Any]:
    return {str(status): _answer(given) for status, given in declaration.answers.items()}


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


def _codes(declaration: Operation, public: bool, path: str) -> list[str]:
    """Return the possible refusals: the operation's own and those of every route like it."""
    codes = ["malformed", "method_not_allowed", "internal", "unavailable", *declaration.problems]
    if uritemplate.variables(path):
        codes.append("not_found")
    if path.startswith("/api/v1/matches/"):
        codes.append("record_broken")
    if "as_" in declaration.query.__struct_fields__:
        # A look as HOST is an act of a host.
        codes += ["plays_here", "sealed"]
    if declaration.body is not None:
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
