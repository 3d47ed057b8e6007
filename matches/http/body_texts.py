"""The texts of a request's body: each is normalised; one that breaks a rule is refused by the name of its field."""

from functools import cache
from typing import Any

import msgspec
from msgspec import Meta, Struct
from msgspec.inspect import AnyType, DictType, ListType, Metadata, StrType, StructType, Type, UnionType

from games import catalogue
from matches.domain.option_texts import clean_options
from matches.domain.texts import BadText, clean_line, clean_lines
from matches.http.problems import Problem

LINES = Meta(extra={"text": "lines"})
"""Marks a text that may have several lines."""
VERBATIM = Meta(extra={"text": "verbatim"})
"""Marks a text that is used unchanged: passwords, tokens, keys, addresses, a game's command."""
PASTED = Meta(extra={"text": "verbatim"})
"""Marks a table or list in another program's format: its reader removes their marks and checks each row."""
OPTIONS = Meta(extra={"text": "options"})
"""Marks the options of the game that the body names in `game`."""
_LINE = "line"
_ANY = AnyType()


def clean_body(body: Any, kind: Any) -> Any:
    """Return a converted body with its texts in normal form; raise Problem that names the field at fault, and
    bad_options."""
    return _clean(body, _info(kind), "", _LINE)


def text_rule(declared: Type) -> tuple[Type, str]:
    """Return the type under its marks, and the rule for its texts: `line`, `lines` or `verbatim`."""
    rule = _LINE
    while isinstance(declared, Metadata):
        rule = (declared.extra or {}).get("text", rule)
        declared = declared.type
    return declared, rule


@cache
def _info(kind: Any) -> Type:
    return msgspec.inspect.type_info(kind)


def _clean(value: Any, declared: Type, place: str, rule: str) -> Any:
    declared, own = text_rule(declared)
    rule = own if own != _LINE else rule
    if isinstance(declared, UnionType):
        return _clean(value, _member(declared, value), place, rule)
    if rule == "verbatim":
        return value
    match value:
        case str():
            return _text(value, declared, place, rule)
        case Struct():
            _clean_struct(value, place)
        case list():
            item = declared.item_type if isinstance(declared, ListType) else _ANY
            return [_clean(it, item, f"{place}[{number}]", rule) for number, it in enumerate(value)]
        case dict():
            of_value = declared.value_type if isinstance(declared, DictType) else _ANY
            return {
                _clean(key, _ANY, place, _LINE): _clean(it, of_value, f"{place}[...]", rule)
                for key, it in value.items()
            }
    return value


def _clean_struct(body: Struct, place: str) -> None:
    info = _info(type(body))
    assert isinstance(info, StructType)  # noqa: S101  a programmer's mistake
    for field in info.fields:
        before = getattr(body, field.name)
        name = f"{place}.{field.encode_name}" if place else field.encode_name
        declared, rule = text_rule(field.type)
        game = catalogue.get(body.game) if rule == "options" else None  # type: ignore[attr-defined]
        if game is not None and game.passages:
            after: Any = clean_options(game, before)
        else:
            after = _clean(before, declared if rule == "options" else field.type, name, _LINE)
        if after is not before:
            msgspec.structs.force_setattr(body, field.name, after)


def _member(declared: UnionType, value: Any) -> Type:
    """Return the type of a union to which a text, list or object was converted."""
    wanted = StrType if isinstance(value, str) else ListType if isinstance(value, list) else DictType
    return next((it for it in declared.types if isinstance(text_rule(it)[0], wanted)), _ANY)


def _text(text: str, declared: Type, place: str, rule: str) -> str:
    try:
        cleaned = clean_lines(text) if rule == "lines" else clean_line(text)
    except BadText as fault:
        raise Problem("malformed", f"`{place}`: {fault}") from None
    longest = declared.max_length if isinstance(declared, StrType) else None
    if longest is not None and len(cleaned) > longest:
        raise Problem("malformed", f"`{place}`: Expected `str` of length <= {longest} in normal form (NFC).")
    return cleaned
