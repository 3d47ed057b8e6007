"""The games' own schemas in the OpenAPI document: a game's commands told apart by `type`, documents by `game`."""

from inspect import cleandoc
from typing import Any

import msgspec

from games import catalogue
from games.kernel import Game

Schema = dict[str, Any]

REFS = "#/components/schemas/{name}"


def of_games() -> dict[str, Schema]:
    """Every game's view, options, commands and templates, by names that begin with the game's; and what stands for all
    games together: `GameCommand`, `CommandBody`, `Template`."""
    made: dict[str, Schema] = {}
    templates = []
    for slug, game in sorted(catalogue.items()):
        made |= _of(game)
        made[_prefix(slug) + "Command"] = _any_command(game)
        templates += [_ref(_prefix(slug) + kind.__name__) for kind in game.templates]
    return made | {
        "GameCommand": {
            "title": "GameCommand",
            "description": "A command of the match's game; `GET /api/v1/games/{slug}` has the schemas of one game.",
            "anyOf": [{"$ref": _ref(_prefix(slug) + "Command")} for slug in sorted(catalogue)],
        },
        "TextCommand": _TEXT,
        "CommandBody": {
            "title": "CommandBody",
            "description": "A command as JSON, or in the game's notation.",
            "oneOf": [{"$ref": _ref("GameCommand")}, {"$ref": _ref("TextCommand")}],
        },
        "Template": {
            "title": "Template",
            "description": "What a command may hold that has too many ways to list; `type` is the command's.",
            "oneOf": [{"$ref": reference} for reference in templates],
        },
    }


def told_by_game(schemas: dict[str, Schema]) -> dict[str, Schema]:
    """The schemas, and those of documents that hold a view split by the game that they are about."""
    split = dict(schemas)
    for name, schema in schemas.items():
        if {"game", "view"} <= set(schema.get("properties", ())):
            split |= {_prefix(slug) + name: _for_game(schema, slug) for slug in sorted(catalogue)}
            split[name] = _any_game(name, schema)
    return split


def linked(value: Any) -> Any:
    """A schema in which those that a type left open by name (`x-schema`) point to where they stand."""
    if isinstance(value, list):
        return [linked(item) for item in value]
    if not isinstance(value, dict):
        return value
    if name := value.get("x-schema"):
        return {"$ref": _ref(name)}
    return {key: linked(item) for key, item in value.items()}


_TEXT: Schema = {
    "title": "TextCommand",
    "description": "A command in the game's notation, such as `place C3`.",
    "type": "object",
    "properties": {"text": {"type": "string", "maxLength": 2000}},
    "required": ["text"],
    "additionalProperties": False,
}


def _of(game: Game) -> dict[str, Schema]:
    prefix = _prefix(game.slug)
    kinds = [game.State, game.Options, *game.command_types.values(), *game.templates]
    found = msgspec.json.schema_components(kinds, ref_template=REFS.format(name=prefix + "{name}"))[1]
    named = {prefix + ("View" if name == "State" else name): schema for name, schema in found.items()}
    return _tidied(named)


def _tidied(schemas: dict[str, Schema]) -> dict[str, Schema]:
    return {name: {**_read_as_told(schema), "title": name} for name, schema in schemas.items()}


def _read_as_told(value: Any) -> Any:
    """Docstrings without their indentation, and integers that may travel as strings as both."""
    if isinstance(value, list):
        return [_read_as_told(item) for item in value]
    if not isinstance(value, dict):
        return value
    told = {key: _read_as_told(item) for key, item in value.items()}
    if told.get("items") is False:
        # `maxItems` says the same, and generators of clients read no schema that is false.
        del told["items"]
    if isinstance(told.get("description"), str):
        told["description"] = cleandoc(told["description"])
    if told.get("format") == "bigint":
        del told["format"]
        told["type"] = ["integer", "string"]
    return _by_letter(told)


def _by_letter(schema: Schema) -> Schema:
    """An object whose fields are letters that stand for the same kind of thing, as boards A to E, told as a map: a
    generated client would give each letter a name of its own, and its own names are letters too."""
    properties = schema.get("properties")
    if not isinstance(properties, dict) or any(len(name) > 1 for name in properties) or "required" not in schema:
        return schema
    first, *others = properties.values()
    if any(other != first for other in others):
        return schema
    rest = {key: value for key, value in schema.items() if key not in ("properties", "required")}
    named = {"propertyNames": {"enum": sorted(properties)}, "minProperties": len(schema["required"])}
    return {**rest, "additionalProperties": first, **named}


def _any_command(game: Game) -> Schema:
    """Any command of one game, told apart by its type. Games share types, so each has a mapping of its own."""
    prefix = _prefix(game.slug)
    mapping = {name: _ref(prefix + kind.__name__) for name, kind in sorted(game.command_types.items())}
    return {
        "title": prefix + "Command",
        "description": f"A command of {game.title}.",
        "oneOf": [{"$ref": reference} for reference in mapping.values()],
        "discriminator": {"propertyName": "type", "mapping": mapping},
    }


def _for_game(schema: Schema, slug: str) -> Schema:
    own = {
        "game": {"type": "string", "const": slug},
        "view": {"$ref": _ref(_prefix(slug) + "View")},
        "options": {"$ref": _ref(_prefix(slug) + "Options")},
    }
    properties = {name: own.get(name, told) for name, told in schema["properties"].items()}
    return {**schema, "title": _prefix(slug) + schema["title"], "properties": properties}


def _any_game(name: str, schema: Schema) -> Schema:
    mapping = {slug: _ref(_prefix(slug) + name) for slug in sorted(catalogue)}
    return {
        "title": name,
        "description": schema.get("description", ""),
        "oneOf": [{"$ref": reference} for reference in mapping.values()],
        "discriminator": {"propertyName": "game", "mapping": mapping},
    }


def _prefix(slug: str) -> str:
    """`pyramid_poker` -> `PyramidPoker`."""
    return "".join(part.capitalize() for part in slug.split("_"))


def _ref(name: str) -> str:
    return REFS.format(name=name)
