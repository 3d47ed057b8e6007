"""Parsing bodies and query parameters into Structs."""

import re
from collections.abc import Collection, Iterable
from functools import cache
from typing import Any, TypeVar

import msgspec
from django.conf import settings
from django.http import QueryDict
from django.http.request import MediaType
from rest_framework.parsers import BaseParser
from rest_framework.request import Request

from games.kernel.wire import SAFE_INTEGER
from matches.http import strict_json
from matches.http.body_texts import clean_body
from matches.http.problems import Problem

T = TypeVar("T")

_WHOLE_NUMBER = re.compile("0|-?[1-9][0-9]{0,15}")
_PLACE = re.compile(r" - at `\$\.?(?P<place>[^`]*)`$")
_LONGEST_DETAIL = 300


class StrictJSONParser(BaseParser):
    """Parses bodies for views that use `request.data` as `read_body` does."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        """Return the body's value; raise Problem."""
        return read_json(stream.read(settings.BODY_LIMIT + 1), media_type or "")


def read_body(request: Request, kind: type[T], *, may_be_empty: bool = False, most_bytes: int | None = None) -> T:
    """Return the body as a `kind`, its texts in normal form; raise Problem. With `may_be_empty` no body means `{}`.

    It has at most `most_bytes`, or those of every body.
    """
    # `body` has the limit of forms.
    data = request._request.body if most_bytes is None else request._request.read()
    if not data:
        return convert(_nothing(may_be_empty), kind)
    value = read_json(data, request.META.get("CONTENT_TYPE", ""), most_bytes)
    body: T = clean_body(convert(value, kind), kind)
    return body


def read_json(data: bytes, media_type: str, most_bytes: int | None = None) -> Any:
    """Return the value of a body with this Content-Type; raise Problem."""
    _check_media_type(media_type)
    if len(data) > (most_bytes or settings.BODY_LIMIT):
        raise Problem("too_large")
    if not data:
        return _nothing(allowed=False)
    try:
        return strict_json.read(data)
    except strict_json.BadJSON as error:
        raise Problem("malformed", str(error)) from None


def read_file(request: Request, types: Collection[str]) -> bytes:
    """Return the body unchanged, of one of these media types; raise Problem. The route has its own limit of length."""
    # Not `request.body`, which has the limit of forms.
    data: bytes = request._request.read()
    if not data:
        raise Problem("malformed", "The body is empty; send the file.")
    if request.META.get("CONTENT_TYPE", "").partition(";")[0].strip().lower() not in types:
        raise Problem("unsupported_media_type", f"Send it as {', '.join(types)}.")
    return data


def read_query(request: Request, kind: type[T]) -> T:
    """Return the query parameters as a `kind`, each at most once; raise Problem."""
    query: QueryDict = request.query_params
    return parse_query(query.lists(), kind)


def parse_query(given_values: Iterable[tuple[str, list[str]]], kind: type[T]) -> T:
    """Return these names with their values as `read_query` does."""
    given = {name: _only(name, values) for name, values in given_values}
    return convert({name: _typed(name, text, kind) for name, text in given.items()}, kind)


def convert(data: Any, kind: type[T]) -> T:
    """Convert external data to a `kind`; raise Problem that names the field at fault."""
    config = getattr(kind, "__struct_config__", None)
    if config is not None and not config.forbid_unknown_fields:
        raise TypeError(f"{kind.__name__} must forbid unknown fields.")
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        raise Problem("malformed", _sentence(str(error))) from None


def _check_media_type(sent: str) -> None:
    if sent == "application/json":
        return
    media = MediaType(sent)
    charset = str(media.params.get("charset", "utf-8")).strip('"').lower()
    if (media.main_type, media.sub_type) != ("application", "json") or charset not in ("utf-8", "utf8"):
        raise Problem("unsupported_media_type")


def _nothing(allowed: bool) -> dict[str, Any]:
    if not allowed:
        raise Problem("malformed", "The body is empty; send a JSON object.")
    return {}


def _only(name: str, values: list[str]) -> str:
    if len(values) != 1:
        raise Problem("malformed", f"The parameter `{name[:80]}` stands more than once.")
    if "\0" in values[0]:
        raise Problem("malformed", f"`{name[:80]}`: a parameter holds no NUL character.")
    return values[0]


def _typed(name: str, text: str, kind: type) -> Any:
    """Return the text as the field's type: whole numbers and booleans are parsed here, the rest by msgspec."""
    wanted = _wanted(kind).get(name, frozenset())
    if msgspec.inspect.IntType in wanted:
        if not _WHOLE_NUMBER.fullmatch(text) or abs(int(text)) > SAFE_INTEGER:
            raise Problem("malformed", f"`{name}`: a whole number is expected, in digits alone.")
        return int(text)
    if msgspec.inspect.BoolType in wanted:
        if text not in ("1", "0", "true", "false"):
            raise Problem("malformed", f"`{name}`: 1, 0, true or false is expected.")
        return text in ("1", "true")
    return text


@cache
def _wanted(kind: type) -> dict[str, frozenset[type]]:
    """Return the allowed types of each parameter."""
    info = msgspec.inspect.type_info(kind)
    assert isinstance(info, msgspec.inspect.StructType)  # noqa: S101  a programmer's mistake
    return {
        field.encode_name: frozenset(map(type, getattr(field.type, "types", (field.type,)))) for field in info.fields
    }


def _sentence(text: str) -> str:
    """Return msgspec's error message with the place first."""
    match = _PLACE.search(text)
    place = match["place"] if match else ""
    fault = text[: match.start()] if match else text
    fault = fault.replace("Object missing required", "Missing").replace("Object contains unknown", "Unknown")
    return (f"`{place}`: {fault}" if place else fault)[:_LONGEST_DETAIL].rstrip(".") + "."
