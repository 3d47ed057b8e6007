"""Values of a content as texts of a form: numbers, and lists and pairs with one of them on each line."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from games.contest.words import UNITS, unit_of
from matches.http import strict_json

_WHOLE = re.compile(r"[+-]?[0-9]{1,15}")
_TIME = re.compile(r"[0-9]{1,9}([.,][0-9]{1,4})?")


def read_number(text: str) -> int | str:
    """Return the number that a text is; any other text stays as it is."""
    return int(text) if text.isascii() and _WHOLE.fullmatch(text.strip()) else text


def read_time(text: str, unit: str) -> int | str:
    """Return the seconds of a time in a unit; any other text stays as it is."""
    factor = UNITS.get(unit, 1)
    match = _TIME.fullmatch(text.strip())
    seconds = float(match[0].replace(",", ".")) * factor if match else 0.5
    return int(seconds) if seconds.is_integer() else read_number(text)


def write_time(value: Any) -> tuple[str, str]:
    """Return a text and a unit from which `read_time` reads a value of JSON data."""
    if type(value) is int and value > 0:
        unit = unit_of(value)
        return str(value // UNITS[unit]), unit
    return value if isinstance(value, str) else msgspec.json.encode(value).decode(), "seconds"


def write_lines(values: Iterable[Any], *, numbers: bool) -> str:
    """Return a text from which `read_lines` reads these values."""
    return "\n".join(_line(value, numbers=numbers) for value in values)


def read_lines(text: str, *, numbers: bool) -> list[Any]:
    """Return the values of the lines that aren't empty; whole numbers are numbers if `numbers`."""
    return [_value(line, numbers=numbers) for line in _lines(text)]


def write_pairs(pairs: Mapping[str, Any]) -> str:
    """Return a text from which `read_pairs` reads these pairs."""
    return "\n".join(f"{_key(name)}: {_line(value, numbers=True)}" for name, value in pairs.items())


def read_pairs(text: str) -> dict[str, Any]:
    """Return the names and values of the lines, `name: value`."""
    pairs = {}
    for line in _lines(text):
        name, _, value = _split(line)
        pairs[name] = _value(value.strip(), numbers=True)
    return pairs


def _lines(text: str) -> list[str]:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return [line.strip() for line in lines if line.strip()]


def _line(value: Any, *, numbers: bool) -> str:
    """Return a value in one line: as it is where it would be read so, else as JSON."""
    line = str(value)
    if [(type(it), it) for it in read_lines(line, numbers=numbers)] == [(type(value), value)]:
        return line
    return json.dumps(value, ensure_ascii=False)


def _value(line: str, *, numbers: bool) -> Any:
    value = _json(line) if line[:1] in ('"', "[", "{") else None
    if isinstance(value, str) or (numbers and value is not None):
        return value
    return read_number(line) if numbers else line


def _json(line: str) -> Any:
    """Return a text, or a list or object of texts and numbers; None for anything else."""
    try:
        value = strict_json.read(line.encode())
    except (strict_json.BadJSON, UnicodeError):
        return None
    inner = value if isinstance(value, list) else value.values() if isinstance(value, dict) else [value]
    return value if all(type(it) in (str, int) for it in inner) else None


def _key(name: str) -> str:
    is_plain = name == name.strip() and name and not re.search(r'[:"\r\n]', name)
    return name if is_plain else json.dumps(name, ensure_ascii=False)


def _split(line: str) -> tuple[str, str, str]:
    if line.startswith('"'):
        try:
            end = json.JSONDecoder().raw_decode(line)[1]
            name = strict_json.read(line[:end].encode())
        except ValueError:
            pass
        else:
            return name, ":", line[end:].lstrip().removeprefix(":")
    name, colon, value = line.partition(":")
    return name.strip(), colon, value
