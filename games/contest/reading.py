"""Reading a content from untrusted data, with all its faults at once, each with its place."""

import re
import types
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct
from msgspec.structs import FieldInfo, fields

from games.contest.checks import faults_of
from games.contest.commands import Amend
from games.contest.content import Content
from games.contest.parts import Part
from games.contest.places import place_in_words
from games.contest.words import time_in_words, words_in
from games.kernel import Fault, type_name

_TYPES = {
    "int": "a whole number", "str": "a text", "bool": "true or false", "array": "a list", "null": "nothing",
    "object": "an object with named values", "float": "a number with a point", "int | null": "a whole number",
}  # fmt: skip
_SENTENCES = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"Expected str of length >= 1", "It is empty. Write something."),
        (r"Expected array of length >= 1", "It is empty. Add something."),
        (r"Expected str of length <= (?P<count>\d+)", "It is too long. Shorten it to {count} letters."),
        (r"Expected array of length >= (?P<count>\d+)", "There are too few. Have at least {count} of them."),
        (r"Expected array of length <= (?P<count>\d+)", "There are too many. Have at most {count} of them."),
        (r"Expected int >= (?P<count>-?\d+)", "It is too little. Write {count} or more."),
        (r"Expected int <= (?P<count>-?\d+)", "It is too much. Write {count} or less."),
        (
            r"Expected str matching regex .*all\|in_turn.*",
            "Choose all players, all in turn, a role or a team; in a file all, in_turn, role:NAME or team:NAME.",
        ),
        (r"Expected str matching regex .*0-9a-f.*", "It is no commitment, which only the service writes. Remove it."),
        (
            r"Expected str matching regex .*",
            "It is no short name. Write at most 24 small letters, digits and _, with a letter first.",
        ),
        (r"Expected (?P<wanted>.+), got (?P<given>.+)", "It is {given}. Write {wanted} instead."),
    )
)
"""The sentences of msgspec, and those for people who write contents."""

MOST_FAULTS = 500
"""Faults that are reported at once."""


class Faulty(ValueError):
    """A content has faults."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__(" ".join(f"{place_in_words(fault.place)}: {fault.sentence}" for fault in faults))
        self.faults = faults


def read_content(data: object) -> Content:
    """Return a content from its JSON or TOML data; raise Faulty with all faults."""
    if faults := faults_in(data):
        raise Faulty(faults)
    return msgspec.convert(data, Content)


def faults_in(data: object, place: str = "") -> tuple[Fault, ...]:
    """Return the faults of a content's data, in the order of its parts; `place` is that of the content itself."""
    faults = tuple(islice(_faults_in(data, Content, place), MOST_FAULTS))
    if faults:
        return faults
    later = faults_of(msgspec.convert(data, Content))[:MOST_FAULTS]
    return tuple(Fault(f"{place}.{fault.place}".lstrip("."), fault.sentence) for fault in later)


def faults_of_command(command: Mapping[str, Any]) -> tuple[Fault, ...]:
    """Return the faults of an amendment's data; other commands have no parts with places."""
    if command["type"] != type_name(Amend):
        return ()
    data = {name: value for name, value in command.items() if name != "type"}
    return tuple(islice(_faults_of_struct(data, Amend, ""), MOST_FAULTS))


def _faults_in(data: Any, kind: Any, place: str) -> Iterator[Fault]:
    """Yield the faults of data that should be of a type: of each part by itself where it has parts."""
    inner = get_args(kind)[0] if hasattr(kind, "__metadata__") else kind
    if type(None) in get_args(inner):
        if data is None:
            return
        inner = get_args(inner)[0]
    if isinstance(inner, type) and issubclass(inner, Part):
        yield from _faults_of_struct(data, inner, place)
    elif get_origin(inner) in (Union, types.UnionType) and _structs(inner):
        yield from _faults_of_union(data, _structs(inner), place)
    elif get_origin(inner) is tuple and isinstance(data, list | tuple) and _structs(get_args(inner)[0]):
        yield from _fault(data, kind, place, only="length")
        for number, item in enumerate(data):
            yield from _faults_in(item, get_args(inner)[0], f"{place}.{number}".lstrip("."))
    else:
        yield from _fault(data, kind, place)


def _structs(kind: Any) -> dict[str, type[Part]]:
    """Return the structs of a union, or the one struct, by tag."""
    kinds = get_args(kind) if get_origin(kind) in (Union, types.UnionType) else (kind,)
    structs = [it for it in kinds if isinstance(it, type) and issubclass(it, Part)]
    return {str(it.__struct_config__.tag): it for it in structs}


def _faults_of_union(data: Any, structs: Mapping[str, type[Part]], place: str) -> Iterator[Fault]:
    kind = data.get("kind") if isinstance(data, Mapping) else None
    if not isinstance(kind, str) or kind not in structs:
        yield Fault(
            f"{place}.kind".lstrip("."),
            f"It has no such kind. Choose one of these: {_listed({tag: it.label for tag, it in structs.items()})}.",
        )
        return
    yield from _faults_of_struct({name: value for name, value in data.items() if name != "kind"}, structs[kind], place)


def _faults_of_struct(data: Any, struct: type[Struct], place: str) -> Iterator[Fault]:
    if not isinstance(data, Mapping):
        yield Fault(place or "content", "It is no part with named values. Write one, or remove it.")
        return
    hints, of_struct = _hints_of(struct), _fields_of(struct)
    for name in data:
        if name not in of_struct:
            names = ", ".join(of_struct)
            yield Fault(
                f"{place}.{str(name)[:40]}".lstrip("."),
                f"A contest has no such value here, only {names}. Remove it, or correct its name.",
            )
    for name, field in of_struct.items():
        inner = f"{place}.{name}".lstrip(".")
        if name in data:
            yield from _faults_in(data[name], hints[field.name], inner)
        elif field.required:
            yield Fault(inner, "It is missing. Fill it in.")


@cache
def _hints_of(struct: type[Struct]) -> dict[str, Any]:
    return get_type_hints(struct, include_extras=True)


@cache
def _fields_of(struct: type[Struct]) -> dict[str, FieldInfo]:
    """Return the fields of a struct by their names in data."""
    return {field.encode_name: field for field in fields(struct)}


def _fault(data: Any, kind: Any, place: str, only: str = "") -> Iterator[Fault]:
    try:
        msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        text = str(error).replace("`", "")
        if only in text:
            sentence, _, path = text.partition(" - at ")
            yield Fault(f"{place}{path.removeprefix('$')}", _in_words(sentence, kind))
    except (UnicodeError, RecursionError):
        yield Fault(place, "It isn't text, or nested too deeply. Write it again.")


def _in_words(sentence: str, kind: Any) -> str:
    """Return msgspec's sentence in the words of people who write contents."""
    inner = get_args(kind)[0] if hasattr(kind, "__metadata__") else kind
    its = words_in(kind)
    if get_origin(inner) is Literal:
        names = its.choices if its else {}
        return f"It can't be that. Choose one of these: {_listed({it: names.get(it, it) for it in get_args(inner)})}."
    for pattern, words in _SENTENCES:
        if match := pattern.fullmatch(sentence):
            given = {name: _TYPES.get(value, value) for name, value in match.groupdict().items()}
            if its and its.is_time and "count" in given:
                given["count"] = time_in_words(int(given["count"]))
            return words.format(**given)
    return f"{sentence}."


def _listed(names: Mapping[str, str]) -> str:
    """Return names with their values, which files have."""
    return ", ".join(f"{name} ({value})" for value, name in names.items())
