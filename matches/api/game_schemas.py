"""The games' own schemas in the OpenAPI document: commands are distinguished by `type`, documents by `game`."""

from inspect import cleandoc
from typing import Any

import msgspec

from games import catalogue
from games.kernel import Command, Game

Schema = dict[str, Any]

REFS = "#/components/schemas/{name}"


def of_games() -> dict[str, Schema]:
    """Return every game's view, options, commands and templates, by names that begin with the game's; and the schemas
    for all games together: `GameCommand`, `CommandBody`, `Template`."""
    by_name: dict[str, Schema] = {}
    templates = []
    for slug, game in sorted(catalogue.items()):
        by_name |= _of(game)
        by_name[_prefix(slug) + "Command"] = _any_command(game)
        templates += [_ref(_prefix(slug) + kind.__name__) for kind in game.templates]
    return by_name | {
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


def named_by_game(schemas: dict[str, Schema]) -> dict[str, Schema]:
    """Return the schemas, with those of documents that contain a view split by game."""
    split = dict(schemas)
    for name, schema in schemas.items():
        if {"game", "view"} <= set(schema.get("properties", ())):
            split |= {_prefix(slug) + name: _for_game(schema, slug) for slug in sorted(catalogue)}
            split[name] = _any_game(name, schema)
    return split


def linked(value: Any) -> Any:
    """Return a schema in which references by name (`x-schema`) are JSON references."""
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
    kinds = [game.State, game.Options, *_commands(game).values(), *game.templates]
    components = msgspec.json.schema_components(kinds, ref_template=REFS.format(name=prefix + "{name}"))[1]
    named = {prefix + ("View" if name == "State" else name): schema for name, schema in components.items()}
    return _titled(named)


def _commands(game: Game) -> dict[str, type[Command]]:
    """Return the commands of seats and of the host by type."""
    return {**game.command_types, **game.host_command_types}


def _titled(schemas: dict[str, Schema]) -> dict[str, Schema]:
    return {name: {**_normalised(schema), "title": name} for name, schema in schemas.items()}


def _normalised(value: Any) -> Any:
    """Return a schema with docstrings without indentation, and integers that may be strings as both."""
    if isinstance(value, list):
        return [_normalised(item) for item in value]
    if not isinstance(value, dict):
        return value
    schema = {key: _normalised(item) for key, item in value.items()}
    if schema.get("items") is False:
        # `maxItems` says the same, and generators of clients can't read a schema that is false.
        del schema["items"]
    if isinstance(schema.get("description"), str):
        schema["description"] = cleandoc(schema["description"])
    if schema.get("format") == "bigint":
        del schema["format"]
        schema["type"] = ["integer", "string"]
    return _by_letter(schema)


def _by_letter(schema: Schema) -> Schema:
    """Return an object whose fields are letters for things of one kind, as boards A to E, as a map: a generated client
    would make a type of each letter, and its own names are letters too."""
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
    """Return the schema of any command of one game, by type. Games share types, so each has a mapping of its own."""
    prefix = _prefix(game.slug)
    mapping = {name: _ref(prefix + kind.__name__) for name, kind in sorted(_commands(game).items())}
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
    properties = {name: own.get(name, field_schema) for name, field_schema in schema["properties"].items()}
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
    """Return `PyramidPoker` for `pyramid_poker`."""
    return "".join(part.capitalize() for part in slug.split("_"))


def _ref(name: str) -> str:
    return REFS.format(name=name)
