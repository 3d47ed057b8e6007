"""Strict parsing of JSON: one meaning for every byte, and a sentence for what is refused."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NoReturn

from games.kernel.wire import SAFE_INTEGER

DEPTH = 8
"""Lists and objects may be nested so deep."""

# An unterminated string reaches to the end, so that the scan is linear.
_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', re.DOTALL)


class BadJSON(ValueError):
    """The bytes are not strict JSON; the text says why."""


def read(data: bytes) -> Any:
    """Return the value of `data`: strings, integers, booleans, None, lists and dicts. Raise BadJSON."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise BadJSON(f"The body is not UTF-8: byte {error.start} is wrong.") from None
    _check_depth(text)
    try:
        value = _decoder.decode(text)
    except json.JSONDecodeError as error:
        raise BadJSON(f"The body is not JSON: {_in_words(error)}.") from None
    # Only an escape can contain these characters.
    if "\\u" in text:
        for string in _strings(value):
            _check_letters(string)
    return value


def _in_words(error: json.JSONDecodeError) -> str:
    return f"{error.msg[:1].lower()}{error.msg[1:]} at line {error.lineno}, column {error.colno}"


def _check_depth(text: str) -> None:
    """Check the depth before parsing: the parser is recursive."""
    depth = 0
    for token in _STRING_OR_BRACKET.finditer(text):
        match token.group()[0]:
            case "[" | "{":
                depth += 1
            case "]" | "}":
                depth -= 1
        if depth > DEPTH:
            raise BadJSON(f"The body is nested deeper than {DEPTH} levels.")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        [(twice, _)] = Counter(name for name, _ in pairs).most_common(1)
        raise BadJSON(f"The name {json.dumps(twice[:80])} stands twice in one object.")
    return members


def _integer(digits: str) -> int:
    # JSON readers disagree about it, and no writer of integers produces it.
    if digits == "-0":
        raise BadJSON("A zero has no sign; -0 is not an integer.")
    if len(digits) > 17 or abs(value := int(digits)) > SAFE_INTEGER:
        raise BadJSON("An integer lies between -(2^53-1) and 2^53-1.")
    return value


def _refuse_number(digits: str) -> NoReturn:
    raise BadJSON(f"Numbers are whole, without point or exponent; {digits[:40]} is not.")


def _refuse_constant(name: str) -> NoReturn:
    raise BadJSON(f"{name} is not a JSON value.")


def _strings(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case list():
            for item in value:
                yield from _strings(item)
        case dict():
            for name, item in value.items():
                yield name
                yield from _strings(item)


def _check_letters(string: str) -> None:
    if "\0" in string:
        raise BadJSON("A string holds no NUL character.")
    if any("\ud800" <= letter <= "\udfff" for letter in string):
        raise BadJSON("A string holds half of a surrogate pair.")


_decoder = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_refuse_number, parse_constant=_refuse_constant
)
