"""How much memory a folded match takes: the bytes of all that it alone refers to."""

from sys import getsizeof
from typing import Any

from msgspec import Struct

from matches.domain.match_state import MatchState

_SMALL = range(-5, 257)
"""Python keeps one of each of these."""


def size_of(match_state: MatchState) -> int:
    """The bytes of a folded match with all that it refers to, but for what every match shares: its rules and types."""
    seen: set[int] = set()
    total, waiting = 0, [match_state.__dict__]
    while waiting:
        value: Any = waiting.pop()
        if id(value) in seen or value is None or isinstance(value, bool) or (type(value) is int and value in _SMALL):
            continue
        seen.add(id(value))
        total += getsizeof(value)
        waiting.extend(_parts(value))
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
