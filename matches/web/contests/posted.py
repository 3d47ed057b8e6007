"""A content as an editor's form sends it, and new parts."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

import msgspec

from games.contest.content import Content
from games.contest.parts import Part
from matches.http import strict_json
from matches.web.contests import value_texts
from matches.web.contests.shapes import Shape, shapes_of, used

PREFIX: Final = "content"
"""The names of all controls begin so; then follows the place of the value, as that of faults."""


class Posted(Protocol):
    """The fields of a form."""

    def getlist(self, key: str) -> Sequence[str]: ...


def read_posted(post: Posted) -> dict[str, Any]:
    """Return the content that a form sends, which may have faults; values that equal their defaults are left out."""
    return _part(post, Content, PREFIX, ({},))


def new_part(struct: type[Part], tag: str, around: Sequence[Mapping[str, Any]], name: str = "") -> dict[str, Any]:
    """Return a new part with what it needs. `around` are the parts that it is in, the innermost last; a part with a
    name gets this one."""
    part: dict[str, Any] = {"kind": tag} if tag else {}
    for shape in shapes_of(struct):
        if shape.required:
            part[shape.name] = name if shape.name == "name" and name else _new_value(shape, (*around, part))
    return part


def names_for(shape: Shape, around: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Return the names that a value can have, each with its title."""
    names: list[tuple[str, str]] = []
    for source in shape.names:
        prefix, colon, of_list = source.partition(":")
        if not colon:
            names.append((source, shape.words.choices.get(source, source)))
            continue
        items: list[Any] = next((it[of_list] for it in reversed(around) if isinstance(it.get(of_list), list)), [])
        for item in items:
            name = item.get("name") if isinstance(item, Mapping) else item
            title = item.get("title") if isinstance(item, Mapping) else ""
            if isinstance(name, str) and name:
                label = title if isinstance(title, str) and title else name
                of_kind = f"{shape.words.choices.get(prefix, prefix)}: {label}"
                names.append((f"{prefix}:{name}", of_kind) if prefix else (name, label))
    return names


def _new_value(shape: Shape, around: Sequence[Mapping[str, Any]]) -> Any:
    match shape.kind:
        case "number" | "duration":
            least = 1 if shape.least is None else max(1, shape.least)
            return least if shape.most is None else min(least, shape.most)
        case "name":
            return next((name for name, _ in names_for(shape, around)), "")
        case "lines" if not shape.texts:
            return [1] * shape.fewest
        case "lines":
            return [f"{shape.name.removesuffix('s').capitalize()} {number + 1}" for number in range(shape.fewest)]
        case "parts":
            tag, struct = next(iter(shape.structs.items()))
            return [new_part(struct, tag, around, f"{shape.words.one}_{number + 1}") for number in range(shape.fewest)]
        case _:
            return ""


def _part(post: Posted, struct: type[Part], place: str, around: tuple[dict[str, Any], ...]) -> dict[str, Any]:
    part: dict[str, Any] = {}
    tag = struct.__struct_config__.tag
    if tag:
        part["kind"] = str(tag)
    for shape in shapes_of(struct):
        value = _value(post, shape, f"{place}.{shape.name}", (*around, part))
        if shape.required or value != shape.default:
            part[shape.name] = value
    return used(struct, {name: value for name, value in part.items() if value is not None})


def _value(post: Posted, shape: Shape, place: str, around: tuple[dict[str, Any], ...]) -> Any:
    """Return a posted value; the default, or a new one, if the form has no control for it."""
    if shape.kind == "part":
        return _part(post, _struct(post, shape, place), place, around)
    sent = post.getlist(place)
    if not sent:
        return _new_value(shape, around) if shape.required else shape.default
    # Of a tick and of a list the first is always sent.
    text = sent[-1].replace("\0", "")
    match shape.kind:
        case "tick":
            return text == "on"
        case "number":
            return value_texts.read_number(text) if text.strip() else (None if shape.required else shape.default)
        case "duration":
            return value_texts.read_time(text, (post.getlist(f"{place}.unit") or ["seconds"])[-1])
        case "passage":
            return text.replace("\r\n", "\n").replace("\r", "\n")
        case "lines":
            return value_texts.read_lines(text, numbers=shape.numbers)
        case "pairs":
            return value_texts.read_pairs(text)
        case "parts":
            numbers = list(dict.fromkeys(it for it in sent if it.isascii() and it.isdigit()))
            inner = [f"{place}.{number}" for number in numbers]
            return [_part(post, _struct(post, shape, it), it, around) for it in inner]
        case "kept":
            return _kept(text)
    return text


def _struct(post: Posted, shape: Shape, place: str) -> type[Part]:
    """Return the struct of the posted kind; of an unknown one the default's, or the first."""
    kinds = post.getlist(f"{place}.kind")
    default = shape.default.get("kind") if isinstance(shape.default, dict) else None
    tag = kinds[-1] if kinds and kinds[-1] in shape.structs else default
    return shape.structs[tag] if tag in shape.structs else next(iter(shape.structs.values()))


def _kept(text: str) -> Any:
    try:
        value = strict_json.read(text.encode())
        return value if isinstance(value, dict | list | str) and len(msgspec.json.encode(value)) < PARTS_BYTES else None
    except (strict_json.BadJSON, UnicodeError):
        return None


PARTS_BYTES: Final = 1_000
"""Bytes of a value that has no control."""
