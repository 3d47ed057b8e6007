"""Adding, removing, duplicating and moving parts of a content in the editor."""

import copy
from collections.abc import Mapping
from typing import Any

from games.contest.content import Content
from games.contest.parts import Part
from matches.web.contests.posted import new_part
from matches.web.contests.shapes import Shape, shapes_of

NOTHING = ""


def new_content(title: str) -> dict[str, Any]:
    """Return a new content with one round."""
    return new_part(Content, "", ()) | {"title": title}


def edited(data: dict[str, Any], act: str, kind: str = "") -> tuple[dict[str, Any], str]:
    """Return the content after a button such as `down rounds.1`, and the place of the part that is to be shown.

    The acts are `add` with a list's place, and `remove`, `copy`, `up` and `down` with that of a part in a list. Without
    such a place nothing changes.
    """
    verb, _, place = act.partition(" ")
    content = copy.deepcopy(data)
    of_list = place if verb == "add" else place.rpartition(".")[0]
    target = _list_at(content, of_list)
    if target is None:
        return data, NOTHING
    items, shape, around = target
    if verb == "add":
        tag = kind if kind in shape.structs else next(iter(shape.structs))
        items.append(new_part(shape.structs[tag], tag, around, _free_name(items, shape.words.one)))
        return content, f"{of_list}.{len(items) - 1}"
    number = place.rpartition(".")[2]
    at = int(number) if number.isascii() and number.isdigit() and len(number) < 6 else len(items)
    if at >= len(items):
        return data, NOTHING
    to = _act(verb, items, at)
    return content, f"{of_list}.{to}" if items else of_list


def _act(verb: str, items: list[Any], at: int) -> int:
    """Do the act; return the number of the part that is to be shown."""
    match verb:
        case "remove":
            del items[at]
            return max(0, min(at, len(items) - 1))
        case "copy":
            items.insert(at + 1, copy.deepcopy(items[at]))
            if isinstance(items[at], dict) and isinstance(name := items[at].get("name"), str):
                items[at + 1]["name"] = _free_name(items, name.rstrip("0123456789").rstrip("_")[:18] or "part")
            return at + 1
        case "up" | "down":
            to = min(max(0, at + (1 if verb == "down" else -1)), len(items) - 1)
            items[at], items[to] = items[to], items[at]
            return to
    return at


def _free_name(items: list[Any], stem: str) -> str:
    """Return a name that no part has: `round_3`."""
    taken = [it.get("name") for it in items if isinstance(it, Mapping)]
    return next(name for number in range(1, len(items) + 2) if (name := f"{stem}_{number}") not in taken)


def _list_at(
    content: dict[str, Any], place: str
) -> tuple[list[dict[str, Any]], Shape, tuple[Mapping[str, Any], ...]] | None:
    """Return the list of parts at a place, its shape, and the parts around it; None if there is none."""
    struct: type[Part] = Content
    part, around = content, [content]
    names = place.split(".")
    while True:
        shape = next((it for it in shapes_of(struct) if it.name == names[0]), None)
        if shape is None or shape.kind not in ("part", "parts"):
            return None
        inner: Any = part.setdefault(shape.name, copy.deepcopy(shape.default) or ([] if shape.kind == "parts" else {}))
        names = names[1:]
        if shape.kind == "parts":
            if not isinstance(inner, list):
                return None
            if not names:
                return inner, shape, tuple(around)
            number = names.pop(0)
            if not (number.isascii() and number.isdigit() and len(number) < 6 and int(number) < len(inner)):
                return None
            inner = inner[int(number)]
        if not names or not isinstance(inner, dict):
            return None
        part, struct = inner, _struct_of(shape, inner)
        around.append(part)


def _struct_of(shape: Shape, part: Mapping[str, Any]) -> type[Part]:
    tag = part.get("kind") if shape.is_union else ""
    return shape.structs[tag] if isinstance(tag, str) and tag in shape.structs else next(iter(shape.structs.values()))
