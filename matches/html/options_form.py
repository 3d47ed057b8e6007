"""A game's options as a form, made from their JSON schema and read back for the rules."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Literal

import msgspec
from msgspec import Struct

from games import catalogue
from games.contest.places import place_in_words
from games.contest.presets import PRESETS, load
from games.contest.reading import Faulty
from games.kernel import Game, Illegal, to_json
from games.kernel.game import json_schema
from matches.contests.domain.toml_files import write_toml
from matches.http import strict_json
from matches.http.contest_files import read_file_draft
from matches.reads.presets import EXAMPLE_NAME

_WHOLE = re.compile(r"-?[0-9]{1,40}")
_README_ROW = re.compile(r"^\| `(?P<name>\w+)` \|[^|]*\| (?P<what>[^|]+) \|$", re.MULTILINE)

Kind = Literal["number", "choice", "check", "lines", "counts", "json", "content"]
"""The kind of an option's field; a `content` is a contest, chosen among the presets or written as TOML or JSON."""
OWN = "own"
"""The choice of a contest of one's own."""


class Field(Struct, frozen=True):
    """One option in the form. `value` is what the form shows; `counts` are the numbers of a `counts` field.

    `prefix` separates the options of several games in one form.
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
    chosen: str = ""

    @property
    def faults(self) -> Sequence[str]:
        """The errors, one for each line of `fault`."""
        return self.fault.splitlines()

    @property
    def input(self) -> str:
        return f"{self.prefix}option-{self.name}"

    @property
    def label(self) -> str:
        return self.name.replace("_", " ").capitalize()


class ParsedOptions(Struct, frozen=True):
    """The options that a form contains, and its errors by field; '' is the whole form."""

    options: dict[str, Any]
    faults: dict[str, str]


@cache
def usual_of(slug: str) -> dict[str, Any]:
    """Return the game's default options."""
    usual: dict[str, Any] = to_json(catalogue[slug].read_options({}))
    return usual


@cache
def fields_of(slug: str, prefix: str = "") -> tuple[Field, ...]:
    """Return the form with the default options."""
    game = catalogue[slug]
    schema = _resolved(json_schema(game.Options))
    usual = usual_of(slug)
    hints = {row["name"]: row["what"].replace("`", "") for row in _README_ROW.finditer(_options_part(game))}
    return tuple(
        msgspec.structs.replace(
            _field(name, kind, usual[name], hints.get(name, ""))
            if not game.passages
            else Field(name, "content", hints.get(name, ""), write_toml(usual[name]), chosen=EXAMPLE_NAME),
            prefix=prefix,
        )
        for name, kind in schema["properties"].items()
    )


def filled(slug: str, data: Mapping[str, str], faults: Mapping[str, str], prefix: str = "") -> list[Field]:
    """Return the form as it was sent, with its errors."""
    return [
        msgspec.structs.replace(
            field,
            chosen=data.get(f"{field.input}-choice", field.chosen),
            value=data.get(field.input, "on" if field.kind == "check" and field.input in data else field.value),
            counts=tuple((key, data.get(f"{field.input}-{key}", number)) for key, number in field.counts),
            fault=faults.get(field.name, ""),
        )
        for field in fields_of(slug, prefix)
    ]


def read(slug: str, data: Mapping[str, str], seats: int, priority: int) -> ParsedOptions:
    """Return the options of a form, checked by the game for a table of so many seats."""
    parsed = typed(slug, data)
    return (
        parsed
        if parsed.faults
        else ParsedOptions(parsed.options, _judged(catalogue[slug], parsed.options, seats, priority))
    )


def typed(slug: str, data: Mapping[str, str], prefix: str = "") -> ParsedOptions:
    """Return the options of a form, checked only for their types."""
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
        game.refuse_unplayable(options, seats, priority)
    except Illegal as illegal:
        return {_place(illegal.message, options): illegal.message}
    return {}


def _place(sentence: str, options: dict[str, Any]) -> str:
    """Return the option that a refusal is about: the first that it names."""
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
    """True if the form contains this option; an unticked box is not sent. Other options keep their default."""
    if field.kind == "content" and data.get(f"{field.input}-choice") == EXAMPLE_NAME:
        return False
    return field.kind == "check" or any(name.startswith(field.input) for name in data)


def _holds(parts: Any, kind: str) -> bool:
    """True if all parts of a list or object are of this type."""
    return isinstance(parts, dict) and parts.get("type") == kind


def _value(field: Field, data: Mapping[str, str]) -> Any:
    """Return the value of a field; raise ValueError with a sentence."""
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
        case "content":
            choice = data.get(f"{field.input}-choice", OWN)
            return _content(text) if choice == OWN else _preset(choice)
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


def _preset(name: str) -> Any:
    if name not in PRESETS:
        raise ValueError("Choose one of these contests.")
    return to_json(load(name))


def _content(text: str) -> Any:
    """Return a contest's data; raise ValueError with all its faults, one a line."""
    data: dict[str, Any] = {}
    try:
        draft = read_file_draft(text.encode())
        data = draft.data
        draft.required()
        return data
    except Faulty as faulty:
        lines = (f"{place_in_words(it.place, data)}: {it.sentence}" for it in faulty.faults)
        raise ValueError("\n".join(lines)) from None


def _laid_out(value: Any) -> str:
    """Return JSON for people to edit: a line for each innermost list."""
    text = msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    return re.sub(r"\[\s+((?:\"[^\"]*\",?\s*)+)\]", lambda innermost: f"[{' '.join(innermost[1].split())}]", text)


def _options_part(game: Game) -> str:
    """Return the README's section on options."""
    _, _, rest = game.readme.partition("\n## Options\n")
    return rest.partition("\n## ")[0]


def _resolved(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema's object, with references one level down resolved."""
    definitions = schema.get("$defs", {})

    def follow(part: dict[str, Any]) -> dict[str, Any]:
        return {**definitions[part["$ref"].rpartition("/")[2]], **part} if "$ref" in part else part

    top = follow(schema)
    return {**top, "properties": {name: follow(part) for name, part in top["properties"].items()}}
