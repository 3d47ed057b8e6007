"""Places of a content in words, as the editor labels them: `Round 2, Field 1, Options`."""

import re
import types
from collections.abc import Mapping
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from games.contest.content import Content
from games.contest.parts import Part
from games.contest.words import words_of


def place_in_words(place: str, content: Any = None) -> str:
    """Return a fault's place in words; `content` are the data that it is in, or the content itself."""
    words: list[str] = []
    structs: Mapping[str, type[Part]] = {"": Content}
    value, one = content, ""
    for step in filter(None, re.split(r"[.\[\]$]+", place)):
        struct = _struct_of(structs, value)
        value = _inner(value, step)
        if one and step.isdecimal():
            words[-1] = f"{one.capitalize()} {int(step) + 1}"
            one = ""
            continue
        if struct is None or step not in words_of(struct):
            words.append("Kind" if struct and step == "kind" else f"line {int(step) + 1}" if step.isdecimal() else step)
            structs, one = {}, ""
            continue
        its = words_of(struct)[step]
        words.append(its.label)
        structs, one = parts_of(struct, step), its.one
    return ", ".join(words)


@cache
def parts_of(struct: type[Part], name: str) -> Mapping[str, type[Part]]:
    """Return the structs of a value that is a part, or a list of parts, by their tags; none for another value."""
    hint = get_type_hints(struct)[name]
    kind = get_args(hint)[0] if get_origin(hint) is tuple else hint
    kinds = get_args(kind) if get_origin(kind) in (Union, types.UnionType) else (kind,)
    return {str(it.__struct_config__.tag or ""): it for it in kinds if isinstance(it, type) and issubclass(it, Part)}


def _struct_of(structs: Mapping[str, type[Part]], value: Any) -> type[Part] | None:
    """Return the struct of a part's kind; the first if the kind is unknown."""
    if isinstance(value, Part):
        return type(value)
    kind = value.get("kind") if isinstance(value, Mapping) else None
    return structs.get(kind) if isinstance(kind, str) and kind in structs else next(iter(structs.values()), None)


def _inner(value: Any, step: str) -> Any:
    if isinstance(value, Part):
        return getattr(value, step, None)
    if isinstance(value, Mapping):
        return value.get(step)
    is_item = isinstance(value, list | tuple) and step.isdecimal() and len(step) < 6 and int(step) < len(value)
    return value[int(step)] if is_item else None
