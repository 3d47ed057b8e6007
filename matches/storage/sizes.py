"""Measure the memory of a folded match: the bytes of all objects that only it refers to."""

from sys import getsizeof
from typing import Any

from msgspec import Struct

from matches.domain.match_state import MatchState

_SMALL = range(-5, 257)
"""Python keeps one shared object for each of these integers."""


def size_of(match_state: MatchState) -> int:
    """Return the bytes of a folded match with all objects it refers to, except those that all matches share: rules and
    types."""
    counted: set[int] = set()
    total, stack = 0, [match_state.__dict__]
    while stack:
        value: Any = stack.pop()
        if id(value) in counted or value is None or isinstance(value, bool) or (type(value) is int and value in _SMALL):
            continue
        counted.add(id(value))
        total += getsizeof(value)
        stack.extend(_parts(value))
    return total


def _parts(value: Any) -> Any:
    match value:
        case tuple() | list() | frozenset() | set():
            return value
        case dict():
            return [*value, *value.values()]
        case Struct():
            return [getattr(value, name) for name in value.__struct_fields__]
        case _:
            return ()
