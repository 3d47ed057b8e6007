"""The changes between two views, place by place."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

MOST = 60
UNSEEN = "nothing to see"
"""Text for an empty place and one whose content this reader may not know, which look the same in a view."""
_ABSENT = object()


@dataclass(frozen=True)
class Difference:
    """A place in the view, such as `spaces.C3.brick`, and its values before and after; empty without one."""

    place: str
    before: str
    after: str


def differences(before: Any, after: Any) -> list[Difference]:
    """Return the places whose values differ, in the view's order; at most `MOST`."""
    changes = []
    for difference in _between("", before, after):
        changes.append(difference)
        if len(changes) == MOST:
            break
    return changes


def _between(place: str, before: Any, after: Any) -> Iterator[Difference]:
    if isinstance(before, dict) and isinstance(after, dict):
        for name in dict.fromkeys((*before, *after)):
            inner = f"{place}.{name}" if place else str(name)
            yield from _between(inner, before.get(name, _ABSENT), after.get(name, _ABSENT))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for number, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from _between(f"{place}[{number}]", one, other)
    elif before is _ABSENT or after is _ABSENT or before != after:
        yield Difference(place, _text(before), _text(after))


def _text(value: Any) -> str:
    return "" if value is _ABSENT else _flat(value)


def _flat(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}: {_flat(inner)}" for name, inner in value.items()) or "nothing"
    if isinstance(value, list):
        return " ".join(map(_flat, value)) or "nothing"
    return UNSEEN if value is None else str(value)
