"""The words for people of a content's values: declared beside each, for the editor, faults, the rules page and REST."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final, get_type_hints

from msgspec import Meta, Struct

_NONE: Mapping[str, str] = {}
UNITS: Final = {"seconds": 1, "minutes": 60, "hours": 3_600, "days": 86_400}
"""The units in which people write times, in seconds."""


class Words(Struct, frozen=True):
    """A value's label, a line of help, and the names of what it can be chosen from.

    `one` is what one part of a list is called. The value matters only `when` another value of the same part, named
    first, is one of those that follow; without any, when that other value isn't empty. A value `for_server` is set by
    the service, never by an author. A `has_markdown` text may use Markdown; a `is_time` number is in seconds.
    """

    label: str
    help: str = ""
    choices: Mapping[str, str] = _NONE
    one: str = ""
    when: tuple[str, ...] = ()
    for_server: bool = False
    has_markdown: bool = False
    is_time: bool = False


def words(label: str, help: str = "", **more: Any) -> Meta:
    """Return the annotation of a value with its words, which its JSON schema has too."""
    its = Words(label, help, **more)
    named = " ".join(f"`{value}`: {name}." for value, name in its.choices.items())
    return Meta(title=label, description=f"{help} {named}".strip() or None, extra={"words": its})


@cache
def words_of(struct: type[Struct]) -> Mapping[str, Words]:
    """Return the words of a part's values by name; a value without any has its name."""
    hints = get_type_hints(struct, include_extras=True)
    return {name: words_in(hints[name]) or Words(name) for name in struct.__struct_fields__}


def words_in(hint: Any) -> Words | None:
    """Return the words of a type, of which the outermost count."""
    metas = reversed(getattr(hint, "__metadata__", ()))
    return next((it.extra["words"] for it in metas if isinstance(it, Meta) and it.extra and "words" in it.extra), None)


def choice_of(struct: type[Struct], name: str, value: str) -> str:
    """Return the name of one of a value's choices."""
    return words_of(struct)[name].choices[value]


def unit_of(seconds: int) -> str:
    """Return the greatest unit of which a time is a multiple."""
    return next(unit for unit in reversed(UNITS) if seconds % UNITS[unit] == 0)


def time_in_words(seconds: int) -> str:
    """Return a time in its unit: `90 minutes`."""
    unit = unit_of(seconds)
    count = seconds // UNITS[unit]
    return f"{count} {unit.removesuffix('s') if count == 1 else unit}"
