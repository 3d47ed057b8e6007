"""What a view's method takes and gives: declared once, held to at each request, and told in the schema."""

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
    """The query of an address that takes none."""


@dataclass(frozen=True)
class Media:
    """A body or an answer in other media types; `json` is the Struct where JSON is one more of an answer's."""

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
    """One method of one address."""

    id: str
    tag: Tag
    answers: Mapping[int, Any]
    body: Any
    may_be_empty: bool
    query: type[Struct]
    headers: tuple[Header, ...]
    problems: tuple[str, ...]
    example: Mapping[str, Any] | None = None


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
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declares a view's method and hands it what was read: `body` and `query`, where it declares them.

    A `body` is a Struct, or a Media for a file of one of its types, handed over as bytes. `answers` gives for each
    status the Struct of the JSON answer, a Media, or None for an empty one. An `example` of the body that isn't
    given stands in matches/api/examples.py.
    """
    told = Operation(id, tag, answers, body, may_be_empty, query, headers, problems, example)
    declared.append(told)

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
                path["body"] = read_body(request, body, may_be_empty=may_be_empty)
            return method(view, request, **path)

        read_first.operation = told  # type: ignore[attr-defined]
        return read_first

    return declare


def _refuse_unspeakable(path: dict[str, Any]) -> None:
    """Nothing has a NUL in its name, and the database refuses to look for it."""
    if any(isinstance(part, str) and "\0" in part for part in path.values()):
        raise Problem("not_found")
