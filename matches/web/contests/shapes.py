"""The shape of a content's parts, from their types: which control each value has, its bounds and its words.

Nothing here knows a part by its name, so a new field or evaluation has its controls as soon as its struct exists.
"""

import types
from collections.abc import Mapping
from functools import cache
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import fields

from games.contest.parts import Part
from games.contest.words import Words, words_of

Kind = Literal[
    "tick", "number", "duration", "choice", "name", "line", "passage", "lines", "pairs", "part", "parts", "kept"
]
"""The control of a value; that of a `kept` one, which the service sets, is hidden."""

PASSAGE: Final = 200
"""A text that may be longer is written in several lines."""


class Shape(Struct, frozen=True):
    """The shape of a value of a part.

    `structs` are those of a part or list of parts, by tag; `names` say where the names come from; `items` are `int` or
    `str` where a list or pairs hold them.
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
    words: Words = Words("")

    @property
    def is_union(self) -> bool:
        """True if a part is of one of several kinds."""
        return any(struct.__struct_config__.tag for struct in self.structs.values())


@cache
def shapes_of(struct: type[Part]) -> tuple[Shape, ...]:
    """Return the shapes of the values that a part uses, in the struct's order."""
    hints, words = get_type_hints(struct, include_extras=True), words_of(struct)
    return tuple(
        msgspec.structs.replace(
            _shape(field.name, hints[field.name], words[field.name]),
            default=_default(field),
            required=field.required,
            words=words[field.name],
        )
        for field in fields(struct)
        if field.name not in struct.unused
    )


def used(struct: type[Part], part: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a part that matter beside its others."""
    defaults = {shape.name: shape.default for shape in shapes_of(struct)}
    unused = set()
    for shape in shapes_of(struct):
        if shape.words.when:
            name, *values = shape.words.when
            value = part.get(name, defaults[name]) or ""
            if value not in values if values else not value:
                unused.add(shape.name)
    return {name: value for name, value in part.items() if name not in unused}


def _default(field: Any) -> Any:
    """Return a field's default as JSON data; None without one."""
    if field.required:
        return None
    value = field.default if field.default is not msgspec.NODEFAULT else field.default_factory()
    return msgspec.json.decode(msgspec.json.encode(value))


def _shape(name: str, kind: Any, words: Words) -> Shape:
    if words.for_server:
        return Shape(name, "kept", None)
    inner, metas = _bare(kind)
    options = [it for it in get_args(inner) if it is not type(None)]
    if get_origin(inner) in (Union, types.UnionType):
        if len(options) == 1:
            return msgspec.structs.replace(_shape(name, options[0], words), optional=True)
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
    shape = _scalar_shape(name, inner, metas)
    return msgspec.structs.replace(shape, kind="duration") if words.is_time else shape


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
