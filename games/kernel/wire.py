"""Conversion of values to JSON and back. Integers above 2^53-1 are written as decimal strings."""

import re
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from games.kernel.illegal import Illegal

T = TypeVar("T")

Large = Annotated[int, Meta(extra_json_schema={"format": "bigint"})]
"""An integer that may exceed SAFE_INTEGER, so that clients must also accept a string."""

SAFE_INTEGER = 2**53 - 1
"""The largest integer that every JSON reader represents exactly."""

_ZEROS = bytes.maketrans(b"123456789", b"000000000")
_LONG = b"0" * 16
"""Found in all JSON with an integer above 2^53-1 (and in some other), once all its digits are zeros."""

_LARGE = re.compile("-?[1-9][0-9]{15,999}")


def to_json(value: Any) -> Any:
    """Return a message, state or options object as JSON-ready dicts, lists, strings, integers, booleans and None."""
    return _narrow(msgspec.to_builtins(value, str_keys=True))


def json_text(value: Any) -> bytes:
    """Return the JSON text of `to_json(value)`; faster, as it builds no dicts unless an integer may be too long."""
    data = msgspec.json.encode(value)
    return msgspec.json.encode(to_json(value)) if _has_long_number(data) else data


def _has_long_number(data: bytes) -> bool:
    # A regular expression takes ten times as long.
    return _LONG in data.translate(_ZEROS)


def _narrow(value: Any) -> Any:
    """Replace integers outside the safe range by decimal strings."""
    kind = type(value)
    if kind is int:
        return value if -SAFE_INTEGER <= value <= SAFE_INTEGER else str(value)
    if kind is dict:
        return {key: _narrow(item) for key, item in value.items()}
    if kind is list or kind is tuple:
        return [_narrow(item) for item in value]
    return value


def canonical(value: Any) -> bytes:
    """Return canonical bytes: UTF-8 JSON, keys sorted, no spaces, integers only."""
    builtins = msgspec.to_builtins(value, str_keys=True)
    data = msgspec.json.encode(builtins, order="sorted")
    return msgspec.json.encode(_narrow(builtins), order="sorted") if _has_long_number(data) else data


def from_json(data: Any, kind: type[T]) -> T:
    """Return a value from its recorded form; integers may be decimal strings."""
    return msgspec.convert(data, kind, strict=False)


def read_strictly(data: Any, kind: type[T], code: str) -> T:
    """Return a value from untrusted input; raise Illegal(code) that names the invalid field.

    The conversion is strict, except that an integer above 2^53-1 may be the decimal string that `to_json` writes.
    """
    try:
        return _read(data, kind)
    except msgspec.ValidationError as error:
        raise Illegal(code, _sentence(error)) from None
    except (UnicodeError, RecursionError):
        raise Illegal(code, "That is no text that a message can hold, or it is nested too deeply.") from None


def _read(data: Any, kind: type[T]) -> T:
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError:
        widened = _widen(data)
        if widened == data:
            raise
    return msgspec.convert(widened, kind)


def _widen(value: Any) -> Any:
    """Replace the decimal strings that `_narrow` writes by integers."""
    kind = type(value)
    if kind is str:
        return int(value) if _LARGE.fullmatch(value) and abs(int(value)) > SAFE_INTEGER else value
    if kind is dict:
        return {key: _widen(item) for key, item in value.items()}
    if kind is list or kind is tuple:
        return [_widen(item) for item in value]
    return value


def _sentence(error: msgspec.ValidationError) -> str:
    text = str(error)
    return text if text.endswith(".") else f"{text}."
