"""Masks: stable stand-ins for what differs in every run, and an ellipsis for words that are written for people.

Equal values get equal stand-ins, numbered in the order in which they are met, so that the equality of ids, hashes and
secrets is still compared. Instants have none but those with a name: which of them are equal depends on the clock.
"""

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

WORDS = frozenset(
    {
        "at_flag",
        "course",
        "description",
        "detail",
        "fairness",
        "fault",
        "faults",
        "headline",
        "label",
        "notes",
        "off_reason",
        "rules",
        "sentence",
        "summary",
        "tells",
        "text",
        "title",
        "told",
        "tools",
    }
)
"""Fields whose texts may change without a change of the interface."""
VERBATIM = frozenset({"seed", "seed_commitment", "link", "nonces_given"})
"""Fields with a hash that follows from a fixed seed: it is compared as it is."""
SECRETS = {
    "code": re.compile(r"[A-Z0-9]{8}"),
    "invitation": re.compile(r"[\w-]{24}"),
    "token": re.compile(r"[\w:-]{20,}"),
    "prefix": re.compile(r"[\w-]{6,16}"),
    "secret": re.compile(r"[\w+/=-]{20,}"),
    "salt": re.compile(r"[\w+/=-]{16,}"),
    "next": re.compile(r".{24,}"),
    "key": re.compile(r"[\w-]{80,}"),
    "verifier_key": re.compile(r".{24,}"),
    "signature": re.compile(r".{24,}"),
}
"""Fields whose values are drawn at random, and what such a value looks like."""
_MICROSECONDS = range(10**15, 4 * 10**15)
"""Numbers that are instants in microseconds since 1970."""
_NUMBERED = {"id": "entry", "entries": "entry"}
"""Fields with a number that the database gives, and what it is the number of."""
_PATTERNS = {
    "id": re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b[0-9a-f]{32}\b"),
    "hash": re.compile(r"\b[0-9a-f]{64}\b"),
    "portrait": re.compile(r"(?<=-)[0-9a-f]{16}(?=\.svg)"),
    "secret": re.compile(r"(?<=/)[A-Za-z0-9_-]{40,}(?=$|[/.?])|\bwhsec_[\w+/=]+"),
}
_MUTE = re.compile(r"(?<=/mutes/)(\d+)\b")
_INSTANT = re.compile(r"\b(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|\+00:00)|\b\d{8}T\d{6}Z")


class Masks:
    """The stand-ins of one transcript."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._counts: dict[str, int] = {}
        self._longest_first: list[tuple[str, str]] | None = None

    def name(self, value: str, stand_in: str) -> None:
        """Choose the stand-in of a value."""
        self._names[value] = f"<{stand_in}>"
        self._longest_first = None

    def name_instant(self, instant: datetime, stand_in: str) -> str:
        """Choose the stand-in of an instant to the second; gives it as it is sent."""
        second = instant.replace(microsecond=0, tzinfo=None).isoformat()
        self.name(second, stand_in)
        return f"{second}Z"

    def masked(self, value: Any, field: str = "") -> Any:
        """A JSON value with stand-ins."""
        match value:
            case {"position": int()}:
                # Where something stands in the house's log depends on what other tests have stored.
                return shape(value)
            case dict() if "lifted_at" in value:
                number = self._stand_in("mute", f"\0mute {value.get('number')}")
                return {name: number if name == "number" else self.masked(it, name) for name, it in value.items()}
            case dict() if field == "at_flag":
                return dict.fromkeys(value, "…")
            case dict():
                return {self.text(name): self.masked(it, name) for name, it in value.items()}
            case list():
                return [self.masked(it, field) for it in value]
            case str() if field in WORDS:
                return "…" if value else ""
            case str():
                self._learn(field, value)
                if field in VERBATIM:
                    return value
                # A key in base64 may contain a slash, and what follows it then looks like the end of a secret address.
                return self._names.get(value) or self.text(value)
            case int() if field in _NUMBERED and not isinstance(value, bool):
                return self._stand_in(_NUMBERED[field], f"\0{_NUMBERED[field]} {value}")
            case int() if value in _MICROSECONDS:
                return "<time>"
        return value

    def text(self, text: str) -> str:
        """A text with stand-ins for all that is recognised in it."""
        for kind, pattern in _PATTERNS.items():
            text = pattern.sub(self._numbered(kind), text)
        text = _MUTE.sub(lambda match: self._stand_in("mute", f"\0mute {match[1]}"), text)
        text = _INSTANT.sub(lambda match: self._names.get(match[1] or "", "<time>"), text)
        if self._longest_first is None:
            self._longest_first = sorted(self._names.items(), key=lambda it: len(it[0]), reverse=True)
        for value, stand_in in self._longest_first:
            if value in text:
                text = text.replace(value, stand_in)
        return text

    def columns(self, line: Mapping[str, str]) -> dict[str, str]:
        """A line of a table with named columns."""
        return {name: str(self.masked(value, name)) for name, value in line.items()}

    def _learn(self, field: str, value: str) -> None:
        pattern = SECRETS.get(field)
        if pattern and pattern.fullmatch(value) and value not in self._names:
            # Cursors are signed to the second: whether two are equal is chance.
            self.name(value, field if field == "next" else self._next(field))

    def _numbered(self, kind: str) -> Callable[[re.Match[str]], str]:
        return lambda match: self._stand_in(kind, match.group())

    def _stand_in(self, kind: str, value: str) -> str:
        """The stand-in of a value; a number's begins with NUL, so that it is met in no text."""
        if value not in self._names:
            self.name(value, self._next(kind))
        return self._names[value]

    def _next(self, kind: str) -> str:
        self._counts[kind] = self._counts.get(kind, 0) + 1
        return f"{kind} {self._counts[kind]}"


def shape(value: Any) -> Any:
    """The names of fields and the types of values; a proof's length depends on the house, too."""
    match value:
        case dict():
            return {name: shape(it) for name, it in value.items()}
        case [dict(), *_]:
            return [shape(value[0])]
    return type(value).__name__
