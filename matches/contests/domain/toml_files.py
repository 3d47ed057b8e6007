"""Contents as TOML, which people read and write: long texts as blocks, parts as tables."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from games.contest.reading import Faulty
from games.kernel import Fault
from matches.contests.domain.drafts import faults_of_values

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
_WIDTH = 120
_MOST_DOTS = 100
# An unterminated text reaches to the end, so that the scan is linear.
_TEXT_OR_COMMENT = re.compile(
    r'''#[^\n]*|"""(?:[^\\]|\\.?)*?(?:"{3,5}|\Z)|'{3}.*?(?:'{3,5}|\Z)|"(?:[^"\\\n]|\\.?)*"?|'[^'\n]*'?''',
    re.DOTALL,
)


def read_toml(text: str) -> dict[str, Any]:
    """Return the JSON data of a TOML file; raise Faulty with the place of its error, or with all values that a content
    can't have, such as dates."""
    for number, line in enumerate(_TEXT_OR_COMMENT.sub(_line_breaks, text).split("\n"), 1):
        # The parser's time grows with the square of the parts of a name.
        if line.count(".") > _MOST_DOTS:
            raise Faulty((Fault("file", f"Line {number} has a name of too many parts."),))
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise Faulty((Fault("file", f"It isn't TOML: {str(error) or 'it is nested too deeply'}."),)) from None
    if faults := tuple(faults_of_values(data)):
        raise Faulty(faults)
    return data


def _line_breaks(text: re.Match[str]) -> str:
    return "\n" * text[0].count("\n")


def write_toml(data: Mapping[str, Any]) -> str:
    """Return a TOML file from which `read_toml` reads these data: JSON data without null."""
    return "\n".join(_table(data, ())).lstrip("\n") + "\n"


def _table(data: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    """Yield the lines of a table: its own values, then the tables in it."""
    tables = {name: value for name, value in data.items() if _is_table(value) or _is_list_of_tables(value)}
    for name, value in data.items():
        if name not in tables:
            yield f"{_key(name)} = {_value(value)}"
    for name, value in tables.items():
        inner = (*path, name)
        header = ".".join(map(_key, inner))
        for item in value if isinstance(value, list) else [value]:
            yield ""
            yield f"[[{header}]]" if isinstance(value, list) else f"[{header}]"
            yield from _table(item, inner)


def _is_table(value: Any) -> bool:
    """True for an object that gets a header of its own: one that doesn't fit into a line."""
    return isinstance(value, Mapping) and len(_value(value)) > _WIDTH * 2 // 3


def _is_list_of_tables(value: Any) -> bool:
    """True for a list of objects of which one doesn't fit into a line, or has several values and lists."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(item, Mapping) for item in value)
        and any(len(_value(item)) > _WIDTH * 2 // 3 for item in value)
    )


def _value(value: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case str():
            return _block(value) if "\n" in value else f'"{_escaped(value)}"'
        case list():
            items = [_inline(item) for item in value]
            line = f"[{', '.join(items)}]"
            return line if len(line) <= _WIDTH else "".join(["[\n", *(f"    {item},\n" for item in items), "]"])
        case _:
            return _inline(value)


def _inline(value: Any) -> str:
    """Return a value in one line."""
    match value:
        case str():
            return f'"{_escaped(value)}"'
        case list():
            return f"[{', '.join(map(_inline, value))}]"
        case Mapping():
            pairs = ", ".join(f"{_key(name)} = {_inline(item)}" for name, item in value.items())
            return f"{{ {pairs} }}" if pairs else "{}"
        case _:
            return _value(value)


def _block(text: str) -> str:
    """Return a text of several lines between triple quotes; a reader drops the first line break."""
    lines = "\n".join(_escaped(line) for line in text.split("\n"))
    # A quote alone needs no escape here, and reads better without one.
    return '"""\n' + re.sub(r'\\"(?!(?:\\"|$))', '"', lines) + '"""'


def _escaped(line: str) -> str:
    return "".join(
        _ESCAPES.get(it) or (f"\\u{ord(it):04X}" if ord(it) < 0x20 or ord(it) == 0x7F else it) for it in line
    )


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else f'"{_escaped(name)}"'
