"""Declaring what a view's method takes and returns: once, checked at each request, and shown in the schema."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any, Literal

from msgspec import Struct
from rest_framework.request import Request

from matches.http.parsing import read_body, read_file, read_query
from matches.http.problems import Problem

Tag = Literal["Play", "Season", "History", "Account", "Games", "Service"]


class NoParameters(Struct, frozen=True, forbid_unknown_fields=True):
    """The query of a route without parameters."""


@dataclass(frozen=True)
class Media:
    """A body or a response in other media types; `json` is the Struct if a response may also be JSON."""

    types: tuple[str, ...]
    json: Any = None


@dataclass(frozen=True)
class Header:
    """A request header."""

    name: str
    description: str
    required: bool = False


@dataclass(frozen=True)
class Operation:
    """One method of one route."""

    id: str
    tag: Tag
    answers: Mapping[int, Any]
    body: Any
    may_be_empty: bool
    query: type[Struct]
    headers: tuple[Header, ...]
    problems: tuple[str, ...]
    example: Mapping[str, Any] | None = None
    most_bytes: int | None = None


declared: list[Operation] = []
"""Every operation of the API, in the order of import."""


def operation(
    id: str,
    *,
    tag: Tag,
    answers: Mapping[int, Any],
    body: Any = None,
    may_be_empty: bool = False,
    query: type[Struct] = NoParameters,
    headers: tuple[Header, ...] = (),
    problems: tuple[str, ...] = (),
    example: Mapping[str, Any] | None = None,
    most_bytes: int | None = None,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare a view's method, which gets the parsed `body` and `query`, if declared.

    A `body` is a Struct, or a Media for a file of one of its types, passed as bytes. `answers` maps each status to the
    Struct of the JSON response, a Media, or None for an empty one. Without `example` the body's example is in
    matches/api/examples.py. A JSON body of more than the usual bytes has at most `most_bytes`.
    """
    declaration = Operation(id, tag, answers, body, may_be_empty, query, headers, problems, example, most_bytes)
    declared.append(declaration)

    def declare(method: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(method)
        def read_first(view: Any, request: Request, **path: Any) -> Any:
            _refuse_unspeakable(path)
            parameters = read_query(request, query)
            if query is not NoParameters:
                path["query"] = parameters
            if isinstance(body, Media):
                path["body"] = read_file(request, body.types)
            elif body is not None:
                path["body"] = read_body(request, body, may_be_empty=may_be_empty, most_bytes=most_bytes)
            return method(view, request, **path)

        read_first.operation = declaration  # type: ignore[attr-defined]
        return read_first

    return declare


def _refuse_unspeakable(path: dict[str, Any]) -> None:
    """Raise Problem for a NUL in a path parameter, which the database would refuse."""
    if any(isinstance(part, str) and "\0" in part for part in path.values()):
        raise Problem("not_found")
