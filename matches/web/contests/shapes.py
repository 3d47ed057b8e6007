"""The shape of a content's parts, from their types: which control each value has, its bounds and its help.

Nothing here knows a part by its name, so a new field or evaluation has its controls as soon as its struct exists.
"""

import re
import types
from collections.abc import Iterator
from functools import cache
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import fields

from games.contest.parts import Part

Kind = Literal["tick", "number", "choice", "name", "line", "passage", "lines", "pairs", "part", "parts", "kept"]
"""The control of a value; that of a `kept` one is hidden."""

PASSAGE: Final = 200
"""A text that may be longer is written in several lines."""
_SEVERAL: Final = 3
"""A sentence that quotes so many values is about the part."""
_QUOTED = re.compile(r"`(\w+)`")


class Shape(Struct, frozen=True):
    """The shape of a value of a part.

    `structs` are those of a part or list of parts, by tag; `names` say where the names come from; `items` are `int` or
    `str` where a list or pairs hold them. One that `is_unused` changes nothing in its part.
    """

    name: str
    kind: Kind
    default: Any
    required: bool = False
    optional: bool = False
    least: int | None = None
    most: int | None = None
    longest: int | None = None
    fewest: int = 0
    names: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    structs: dict[str, type[Part]] = {}
    numbers: bool = False
    texts: bool = True
    hint: str = ""
    is_unused: bool = False

    @property
    def is_union(self) -> bool:
        """True if a part is of one of several kinds."""
        return any(struct.__struct_config__.tag for struct in self.structs.values())


@cache
def shapes_of(struct: type[Part]) -> tuple[Shape, ...]:
    """Return the shapes of a part's values, in the struct's order."""
    hints = get_type_hints(struct, include_extras=True)
    helps = _helps(struct)
    return tuple(
        msgspec.structs.replace(
            _shape(field.name, hints[field.name]),
            default=_default(field),
            required=field.required,
            hint=helps.get(field.name, ""),
            is_unused=field.name in struct.unused,
        )
        for field in fields(struct)
    )


@cache
def about(struct: type[Part]) -> str:
    """Return the sentences about a part as a whole: its own that quote no value, and all that quote several."""
    names = {field.name for field in fields(struct)}
    sentences = [
        it
        for base in struct.__mro__
        if _is_part(base) and base is not Part
        for it in _sentences(base)
        if (count := len(names & set(_QUOTED.findall(it)))) >= _SEVERAL or (base is struct and not count)
    ]
    return " ".join(f"{it[:1].upper()}{it[1:]}" for it in sentences)


def words_of(name: str) -> str:
    """Return a name of the code as words: `Least seats`."""
    return name.replace("_", " ").capitalize()


def singular(name: str) -> str:
    """Return the name of one part of a list: `round` for `rounds`."""
    return name.removesuffix("s")


def _default(field: Any) -> Any:
    """Return a field's default as JSON data; None without one."""
    if field.required:
        return None
    value = field.default if field.default is not msgspec.NODEFAULT else field.default_factory()
    return msgspec.json.decode(msgspec.json.encode(value))


def _shape(name: str, kind: Any) -> Shape:
    inner, metas = _bare(kind)
    options = [it for it in get_args(inner) if it is not type(None)]
    if get_origin(inner) in (Union, types.UnionType):
        if len(options) == 1:
            shape = _shape(name, options[0])
            # A commitment is made by the dealer, never by an author.
            is_part = shape.kind == "part"
            return msgspec.structs.replace(shape, kind="kept" if is_part else shape.kind, optional=True)
        structs = {str(it.__struct_config__.tag): it for it in options if _is_part(it)}
        return Shape(name, "part", None, structs=structs)
    if _is_part(inner):
        return Shape(name, "part", None, structs={"": inner})
    origin = get_origin(inner)
    if origin is tuple:
        return _list_shape(name, get_args(inner)[0], metas)
    if origin is dict:
        return Shape(name, "pairs", None, numbers=True)
    if origin is Literal:
        return Shape(name, "choice", None, choices=get_args(inner))
    return _scalar_shape(name, inner, metas)


def _list_shape(name: str, item: Any, metas: tuple[Meta, ...]) -> Shape:
    inner, of_item = _bare(item)
    fewest, longest = _bound(metas, "min_length") or 0, _bound(metas, "max_length")
    kinds = get_args(inner) if get_origin(inner) in (Union, types.UnionType) else (inner,)
    if all(map(_is_part, kinds)):
        structs = {str(it.__struct_config__.tag or ""): it for it in kinds}
        return Shape(name, "parts", None, longest=longest, fewest=fewest, structs=structs)
    bare = [_bare(kind)[0] for kind in kinds]
    numbers, texts, names = int in bare, str in bare, _names(of_item)
    return Shape(name, "lines", None, longest=longest, fewest=fewest, numbers=numbers, texts=texts, names=names)


def _scalar_shape(name: str, inner: Any, metas: tuple[Meta, ...]) -> Shape:
    if inner is bool:
        return Shape(name, "tick", None)
    if inner is int:
        return Shape(name, "number", None, least=_bound(metas, "ge"), most=_bound(metas, "le"))
    if names := _names(metas):
        return Shape(name, "name", None, names=names)
    longest = _bound(metas, "max_length")
    return Shape(name, "passage" if longest and longest > PASSAGE else "line", None, longest=longest)


def _bare(kind: Any) -> tuple[Any, tuple[Meta, ...]]:
    """Return a type without its annotations, and them."""
    if hasattr(kind, "__metadata__"):
        return get_args(kind)[0], tuple(it for it in kind.__metadata__ if isinstance(it, Meta))
    return kind, ()


def _is_part(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Part)


def _bound(metas: tuple[Meta, ...], name: str) -> int | None:
    return next((value for it in reversed(metas) if (value := getattr(it, name)) is not None), None)


def _names(metas: tuple[Meta, ...]) -> tuple[str, ...]:
    return next((it.extra["names"] for it in metas if it.extra and "names" in it.extra), ())


def _helps(struct: type[Part]) -> dict[str, str]:
    """Return the sentences about each value: those of the docstrings that quote its name, the struct's own first."""
    helps: dict[str, str] = {}
    names = {field.name for field in fields(struct)}
    for base in struct.__mro__:
        if not _is_part(base) or base is Part:
            continue
        of_base: dict[str, list[str]] = {}
        for sentence in _sentences(base):
            quoted = [it for it in _QUOTED.findall(sentence) if it in names]
            begins = re.match(r"`(\w+)`: ", sentence)
            if len(set(quoted)) >= _SEVERAL and not begins:
                continue
            for name in dict.fromkeys([begins[1]] if begins else quoted):
                text = sentence.removeprefix(begins[0]) if begins else sentence
                of_base.setdefault(name, []).append(f"{text[:1].upper()}{text[1:]}")
        for name, sentences in of_base.items():
            helps.setdefault(name, " ".join(sentences))
    return helps


def _sentences(struct: type[Part]) -> Iterator[str]:
    for item in re.split(r"\n\s*- ", struct.__dict__.get("__doc__") or ""):
        text = " ".join(item.split())
        yield from (f"{it.rstrip('.;')}." for it in re.split(r"(?<=[.;]) (?=[A-Z`])", text) if it)
