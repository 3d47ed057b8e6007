"""Values <-> JSON: canonical bytes, dicts for clients, and back. Integers above 2^53-1 travel as strings."""

import re
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from games.kernel.illegal import Illegal

T = TypeVar("T")

Large = Annotated[int, Meta(extra_json_schema={"format": "bigint"})]
"""An integer that may outgrow SAFE_INTEGER in play, so that clients expect it as a string too."""

SAFE_INTEGER = 2**53 - 1
"""The largest integer that every JSON reader holds exactly."""

_LONG = re.compile(rb"[0-9]{16}")
"""Without so many digits there is no integer above 2^53-1."""

_LARGE = re.compile("-?[1-9][0-9]{15,999}")


def to_json(value: Any) -> Any:
    """A message, state or options object as JSON-ready dicts, lists, strings, integers, booleans and None."""
    return _narrow(msgspec.to_builtins(value, str_keys=True))


def json_text(value: Any) -> bytes:
    """The text of what `to_json` gives, without making it where nothing in it is long: a fraction of the time."""
    data = msgspec.json.encode(value)
    return data if _LONG.search(data) is None else msgspec.json.encode(to_json(value))


def _narrow(value: Any) -> Any:
    """Replace the integers that JSON readers would round by decimal strings."""
    kind = type(value)
    if kind is int:
        return value if -SAFE_INTEGER <= value <= SAFE_INTEGER else str(value)
    if kind is dict:
        return {key: _narrow(item) for key, item in value.items()}
    if kind is list or kind is tuple:
        return [_narrow(item) for item in value]
    return value


def canonical(value: Any) -> bytes:
    """Canonical bytes: UTF-8 JSON, keys sorted, no spaces, integers only."""
    told = msgspec.to_builtins(value, str_keys=True)
    data = msgspec.json.encode(told, order="sorted")
    return data if _LONG.search(data) is None else msgspec.json.encode(_narrow(told), order="sorted")


def from_json(data: Any, kind: type[T]) -> T:
    """A value that was recorded, read back; integers may come as decimal strings."""
    return msgspec.convert(data, kind, strict=False)


def read_strictly(data: Any, kind: type[T], code: str) -> T:
    """A value from outside; raises Illegal(code) that names the field at fault.

    Strict but for one thing: an integer above 2^53-1 may come as the decimal string that `to_json` writes.
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
    """Replace the decimal strings that `_narrow` made by their integers."""
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
