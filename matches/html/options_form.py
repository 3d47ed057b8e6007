"""A game's options as a form, made from their JSON schema and read back into what the rules expect."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal

import msgspec
from msgspec import Struct

from games import catalogue
from games.kernel import Game, Illegal, to_json
from games.kernel.game import json_schema
from matches.http import strict_json

_WHOLE = re.compile(r"-?[0-9]{1,40}")
_README_ROW = re.compile(r"^\| `(?P<name>\w+)` \|[^|]*\| (?P<what>[^|]+) \|$", re.MULTILINE)

Kind = Literal["number", "choice", "check", "lines", "counts", "json"]


class Field(Struct, frozen=True):
    """One option in the form. `value` is as the form shows it; `counts` are the numbers of a `counts` field.

    `prefix` tells the options of one game from those of another in the same form.
    """

    name: str
    kind: Kind
    hint: str
    value: str
    choices: tuple[str, ...] = ()
    counts: tuple[tuple[str, str], ...] = ()
    least: int | None = None
    most: int | None = None
    fault: str = ""
    prefix: str = ""

    @property
    def input(self) -> str:
        """The name of its input."""
        return f"{self.prefix}option-{self.name}"

    @property
    def label(self) -> str:
        """Its name as a label."""
        return self.name.replace("_", " ").capitalize()


class ParsedOptions(Struct, frozen=True):
    """What came out of a form: the options, and what is wrong with them by field; '' is the whole."""

    options: dict[str, Any]
    faults: dict[str, str]


@cache
def usual_of(slug: str) -> dict[str, Any]:
    """The game's own options."""
    usual: dict[str, Any] = to_json(catalogue[slug].read_options({}))
    return usual


@cache
def fields_of(slug: str, prefix: str = "") -> tuple[Field, ...]:
    """The form as it stands before anybody has touched it."""
    game = catalogue[slug]
    schema = _resolved(json_schema(game.Options))
    usual = usual_of(slug)
    told = {found["name"]: found["what"].replace("`", "") for found in _README_ROW.finditer(_options_part(game))}
    return tuple(
        msgspec.structs.replace(_field(name, kind, usual[name], told.get(name, "")), prefix=prefix)
        for name, kind in schema["properties"].items()
    )


def filled(slug: str, data: Mapping[str, str], faults: Mapping[str, str], prefix: str = "") -> list[Field]:
    """The form as it was sent, with its faults."""
    return [
        msgspec.structs.replace(
            field,
            value=data.get(field.input, "on" if field.kind == "check" and field.input in data else field.value),
            counts=tuple((key, data.get(f"{field.input}-{key}", number)) for key, number in field.counts),
            fault=faults.get(field.name, ""),
        )
        for field in fields_of(slug, prefix)
    ]


def read(slug: str, data: Mapping[str, str], seats: int, priority: int) -> ParsedOptions:
    """The options that a form holds, judged by the game for a table of so many seats."""
    told = typed(slug, data)
    return told if told.faults else ParsedOptions(told.options, _judged(catalogue[slug], told.options, seats, priority))


def typed(slug: str, data: Mapping[str, str], prefix: str = "") -> ParsedOptions:
    """The options that a form holds, each of its kind; no game has judged them."""
    options: dict[str, Any] = {}
    faults: dict[str, str] = {}
    for field in fields_of(slug, prefix):
        if not _is_sent(field, data):
            continue
        try:
            options[field.name] = _value(field, data)
        except ValueError as error:
            faults[field.name] = str(error)
    return ParsedOptions(options, faults)


def _judged(game: Game, options: dict[str, Any], seats: int, priority: int) -> dict[str, str]:
    try:
        game.open(game.read_options(options), seats, priority)
    except Illegal as illegal:
        return {_place(illegal.message, options): illegal.message}
    return {}


def _place(sentence: str, options: dict[str, Any]) -> str:
    """The option that a refusal speaks of: the first that it names."""
    words = re.findall(r"\w+", sentence)
    return next((word for word in words if word in options), "")


def _field(name: str, kind: dict[str, Any], usual: Any, hint: str) -> Field:
    if "enum" in kind:
        return Field(name, "choice", hint, str(usual), choices=tuple(map(str, kind["enum"])))
    match kind.get("type"):
        case "integer":
            return Field(name, "number", hint, str(usual), least=kind.get("minimum"), most=kind.get("maximum"))
        case "boolean":
            return Field(name, "check", hint, "on" if usual else "")
        case "array" if _holds(kind.get("items"), "string"):
            return Field(name, "lines", hint, "\n".join(usual))
        case "object" if _holds(kind.get("additionalProperties"), "integer"):
            numbers = kind["additionalProperties"]
            counts = tuple((key, str(number)) for key, number in usual.items())
            return Field(
                name, "counts", hint, "", counts=counts, least=numbers.get("minimum"), most=numbers.get("maximum")
            )
    return Field(name, "json", hint, _laid_out(usual))


def _is_sent(field: Field, data: Mapping[str, str]) -> bool:
    """Whether the form speaks of this option; an unticked box is not sent. What isn't sent stays as usual."""
    return field.kind == "check" or any(name.startswith(field.input) for name in data)


def _holds(parts: Any, kind: str) -> bool:
    """Whether the parts of a list or object are all of this kind."""
    return isinstance(parts, dict) and parts.get("type") == kind


def _value(field: Field, data: Mapping[str, str]) -> Any:
    """What the game is asked for; raises ValueError with a sentence."""
    text = data.get(field.input, "")
    match field.kind:
        case "number":
            return _number(text)
        case "check":
            return field.input in data
        case "lines":
            return [line.strip() for line in text.splitlines() if line.strip()]
        case "counts":
            return {key: _number(data.get(f"{field.input}-{key}", ""), key) for key, _ in field.counts}
        case "json":
            return _json(text)
    return text


def _number(text: str, key: str = "") -> int:
    if not _WHOLE.fullmatch(text.strip()):
        raise ValueError(f"{key}: give a whole number." if key else "Give a whole number.")
    return int(text)


def _json(text: str) -> Any:
    try:
        return strict_json.read(text.encode())
    except (strict_json.BadJSON, UnicodeError) as error:
        raise ValueError(f"This is no JSON: {error}") from None


def _laid_out(value: Any) -> str:
    """JSON that people can edit: a line for each innermost list."""
    text = msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    return re.sub(r"\[\s+((?:\"[^\"]*\",?\s*)+)\]", lambda found: f"[{' '.join(found[1].split())}]", text)


def _options_part(game: Game) -> str:
    """The README's section on options."""
    _, _, rest = game.readme.partition("\n## Options\n")
    return rest.partition("\n## ")[0]


def _resolved(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema's own object, with references one level down followed."""
    known = schema.get("$defs", {})

    def follow(part: dict[str, Any]) -> dict[str, Any]:
        return {**known[part["$ref"].rpartition("/")[2]], **part} if "$ref" in part else part

    top = follow(schema)
    return {**top, "properties": {name: follow(part) for name, part in top["properties"].items()}}
