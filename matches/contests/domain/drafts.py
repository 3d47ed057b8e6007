"""Drafts: the content of a contest as its author writes it, which may have faults."""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any, Final

import msgspec
from msgspec import Struct

from games.contest.content import Content
from games.contest.reading import MOST_FAULTS, Faulty, read_content
from games.contest.values import PASSAGES
from games.kernel import Fault, canonical
from matches.domain.option_texts import clean_texts

MOST_BYTES: Final = 256 * 1024
"""Bytes of a draft, as JSON without spaces."""
DEEPEST: Final = 8
"""Lists and objects of a draft may be nested so deep."""

_LONGEST_TITLE = 60


class TooLong(ValueError):
    """A draft has more than MOST_BYTES."""


class Draft(Struct, frozen=True):
    """A draft: its JSON data with the texts in normal form, all its faults, and the content if it has none."""

    data: dict[str, Any]
    faults: tuple[Fault, ...]
    content: Content | None

    @property
    def title(self) -> str:
        """The title; empty if the draft has none that is a text."""
        title = self.data.get("title")
        return title[:_LONGEST_TITLE] if isinstance(title, str) else ""

    @property
    def json(self) -> bytes:
        """The data as JSON, with the names in the author's order."""
        return msgspec.json.encode(self.data)

    @property
    def digest(self) -> bytes:
        """The SHA-256 of the canonical form; equal for contents that differ in the order of names alone."""
        return sha256(canonical(self.data)).digest()

    def required(self) -> Content:
        """Return the content; raise Faulty."""
        if self.content is None:
            raise Faulty(self.faults)
        return self.content


def read_draft(data: Mapping[str, Any]) -> Draft:
    """Return a draft from JSON data, without the values that are null; raise TooLong."""
    faults: list[Fault] = []
    cleaned: dict[str, Any] = clean_texts(data, PASSAGES, faults)
    if len(msgspec.json.encode(cleaned)) > MOST_BYTES:
        raise TooLong(f"A contest has at most {MOST_BYTES // 1024} KiB.")
    try:
        content = read_content(cleaned)
    except Faulty as faulty:
        faults += faulty.faults
        content = None
    return Draft(cleaned, tuple(faults[:MOST_FAULTS]), None if faults else content)


def faults_of_values(value: Any, place: str = "", depth: int = 1) -> Iterator[Fault]:
    """Yield the faults of a file's values that JSON data of this service never has: other types than texts, whole
    numbers, booleans, lists and objects, great integers, NUL characters, and values nested too deeply."""
    match value:
        case str():
            if "\0" in value:
                yield Fault(place, "It holds a NUL character. Remove it.")
        case bool():
            pass
        case int():
            if abs(value) >= 2**53:
                yield Fault(place, "It is too great a number. Write one between -(2^53-1) and 2^53-1.")
        case dict() | list():
            if depth > DEEPEST:
                yield Fault(place, f"It is nested deeper than {DEEPEST} levels. Remove it.")
                return
            pairs = value.items() if isinstance(value, dict) else enumerate(value)
            for name, item in pairs:
                inner = f"{place}.{str(name)[:40]}".lstrip(".").replace("\0", "")
                if isinstance(name, str) and "\0" in name:
                    yield Fault(inner, "Its name holds a NUL character. Remove it.")
                yield from faults_of_values(item, inner, depth + 1)
        case None:
            pass
        case _:
            yield Fault(
                place, "No contest has such a value. Write a text, a whole number, true, false, a list or an object."
            )
