"""Differences of JSON documents: a long document is recorded as what has changed since one like it."""

import json
from collections.abc import Iterator
from typing import Any

GONE = "<gone>"
Changes = dict[str, Any]


def changes(old: Any, new: Any) -> Changes:
    """Return the changes from the old document to the new one, by JSON pointer; `GONE` marks a removed value."""
    return dict(_changes(old, new, ""))


def _changes(old: Any, new: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(old, dict) and isinstance(new, dict):
        for name in sorted({**old, **new}):
            yield from _inner(old.get(name, GONE), new.get(name, GONE), f"{path}/{_escaped(name)}")
    elif isinstance(old, list) and isinstance(new, list):
        for place in range(max(len(old), len(new))):
            pair = (it[place] if place < len(it) else GONE for it in (old, new))
            yield from _inner(*pair, f"{path}/{place}")
    elif dumped(old) != dumped(new):
        yield path, new


def _inner(old: Any, new: Any, path: str) -> Iterator[tuple[str, Any]]:
    inner = list(_changes(old, new, path))
    # Many small changes of one value are longer than the value.
    if len(inner) > 1 and len(dumped(dict(inner))) > len(dumped({path: new})):
        inner = [(path, new)]
    yield from inner


def changed(old: Any, with_these: Changes) -> Any:
    """The document that the changes make of the old one."""
    new = json.loads(json.dumps(old))
    in_order = sorted(with_these.items(), key=lambda it: [_place(step) for step in it[0].split("/")])
    removed = [it for it in in_order if it[1] == GONE]
    for path, value in [*(it for it in in_order if it[1] != GONE), *reversed(removed)]:
        if not path:
            return value
        *way, last = (_plain(it) for it in path[1:].split("/"))
        inner = new
        for step in way:
            inner = inner[int(step)] if isinstance(inner, list) else inner[step]
        _put(inner, last, value)
    return new


def _put(inner: Any, last: str, value: Any) -> None:
    if isinstance(inner, dict) and value == GONE:
        del inner[last]
    elif isinstance(inner, dict):
        inner[last] = value
    elif value == GONE:
        del inner[int(last)]
    else:
        inner[int(last) : int(last) + 1] = [value]


def _place(step: str) -> tuple[int, str]:
    return (int(step), "") if step.isdigit() else (0, step)


def dumped(value: Any) -> str:
    """Return the value as JSON on one line."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def _plain(name: str) -> str:
    return name.replace("~1", "/").replace("~0", "~")
