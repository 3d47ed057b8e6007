"""What changed between two views, place by place."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

MOST = 60
UNSEEN = "nothing to see"
"""An empty place and one whose content this reader may not know look the same in a view."""
_ABSENT = object()


@dataclass(frozen=True)
class Difference:
    """A place in the view, such as `spaces.C3.brick`, and what stood and stands there; empty where nothing does."""

    place: str
    before: str
    after: str


def differences(before: Any, after: Any) -> list[Difference]:
    """The places whose values differ, in the view's order; at most so many."""
    found = []
    for difference in _between("", before, after):
        found.append(difference)
        if len(found) == MOST:
            break
    return found


def _between(place: str, before: Any, after: Any) -> Iterator[Difference]:
    if isinstance(before, dict) and isinstance(after, dict):
        for name in dict.fromkeys((*before, *after)):
            inner = f"{place}.{name}" if place else str(name)
            yield from _between(inner, before.get(name, _ABSENT), after.get(name, _ABSENT))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for number, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from _between(f"{place}[{number}]", one, other)
    elif before is _ABSENT or after is _ABSENT or before != after:
        yield Difference(place, _told(before), _told(after))


def _told(value: Any) -> str:
    return "" if value is _ABSENT else _flat(value)


def _flat(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}: {_flat(inner)}" for name, inner in value.items()) or "nothing"
    if isinstance(value, list):
        return " ".join(map(_flat, value)) or "nothing"
    return UNSEEN if value is None else str(value)
