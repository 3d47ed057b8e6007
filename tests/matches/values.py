"""Any value of a message's type, for round trips: not a likely one, only one that the type allows."""

import re
from random import Random
from typing import Any

from msgspec import inspect

TEXTS = ("", "A1", "12", "null", "true", "1.5", "Zoë", '"', "\\", "\u2028", "seat:0")
INTEGERS = (0, 1, -1, 7, 2**53 - 1, 2**53, -(2**70))
WORDS = ("a", "all", "x" * 64, "0" * 64)
"""Texts for types with a pattern or a least length."""


def some(kind: Any, rng: Random) -> Any:
    """A value of this type."""
    return _some(inspect.type_info(kind), rng)


def _some(info: inspect.Type, rng: Random) -> Any:
    match info:
        case inspect.StructType(cls=kind, fields=fields):
            return _struct(kind, fields, rng)
        case inspect.UnionType(types=types):
            return _some(rng.choice(types), rng)
        case inspect.NoneType():
            return None
        case inspect.BoolType():
            return rng.random() < 0.5
        case inspect.IntType():
            return rng.choice([it for it in (*INTEGERS, info.ge, info.le) if it is not None and _fits(it, info)])
        case inspect.StrType():
            return rng.choice([it for it in (*TEXTS, *WORDS) if _fits_text(it, info)])
        case inspect.AnyType():
            return rng.choice(TEXTS)
        case inspect.LiteralType(values=values):
            return rng.choice(values)
        case inspect.EnumType(cls=kind):
            return rng.choice(list(kind))
        case inspect.TupleType(item_types=kinds):
            return tuple(_some(item, rng) for item in kinds)
        case inspect.VarTupleType(item_type=item, min_length=least):
            return tuple(_some(item, rng) for _ in range((least or 0) + rng.randrange(4)))
        case inspect.ListType(item_type=item):
            return [_some(item, rng) for _ in range(rng.randrange(4))]
        case inspect.FrozenSetType(item_type=item):
            return frozenset(_some(item, rng) for _ in range(rng.randrange(4)))
        case inspect.DictType(key_type=key, value_type=value):
            return {_some(key, rng): _some(value, rng) for _ in range(rng.randrange(4))}
        case inspect.Metadata(type=kind):
            return _some(kind, rng)
    raise NotImplementedError(f"{info}: say here what a value of it is.")


def _fits(number: int, info: inspect.IntType) -> bool:
    return (info.ge is None or number >= info.ge) and (info.le is None or number <= info.le)


def _fits_text(text: str, info: inspect.StrType) -> bool:
    fits = (info.min_length or 0) <= len(text) <= (info.max_length or 64)
    return fits and (info.pattern is None or re.search(info.pattern, text) is not None)


def _struct(kind: Any, fields: tuple[inspect.Field, ...], rng: Random) -> Any:
    """A struct; one that refuses its values is asked again."""
    while True:
        try:
            return kind(**{field.name: _some(field.type, rng) for field in fields})
        except ValueError:
            continue
