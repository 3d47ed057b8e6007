"""The games in the OpenAPI document: their commands told apart by type, what is read of a match by its game."""

from random import Random
from typing import Any

import jsonschema_rs
import pytest

from games import catalogue
from games.kernel import HOST, SPECTATOR, Chance, Table, to_json
from tests.api.document import DOCUMENT, resolved

SCHEMAS = DOCUMENT["components"]["schemas"]
BY_GAME = ("MatchDocument", "ViewDocument", "MomentDocument")


def validator(schema: dict[str, Any]) -> Any:
    return jsonschema_rs.Draft202012Validator({**schema, "components": DOCUMENT["components"]})


def view_of(slug: str) -> dict[str, Any]:
    own = SCHEMAS["MatchDocument"]["discriminator"]["mapping"][slug]
    view: dict[str, Any] = resolved({"$ref": own})["properties"]["view"]
    return view


def test_schema_of_commands_is_discriminated_by_type_within_each_game() -> None:
    sent = DOCUMENT["paths"]["/api/v1/matches/{name}/commands"]["post"]["requestBody"]["content"]["application/json"]
    command, text = resolved(sent["schema"])["oneOf"]
    assert resolved(text)["required"] == ["text"]
    games = [resolved(it) for it in resolved(command)["anyOf"]]
    for schema, (_, game) in zip(games, sorted(catalogue.items()), strict=True):
        mapping = schema["discriminator"]["mapping"]
        assert schema["discriminator"]["propertyName"] == "type" and set(mapping) == {
            *game.command_types,
            *game.host_command_types,
        }
        assert schema["oneOf"] == [{"$ref": reference} for reference in mapping.values()]
    schemas = [reference for schema in games for reference in schema["discriminator"]["mapping"].values()]
    assert len(schemas) == len(set(schemas)), "no schema is a command of two games"


@pytest.mark.parametrize("name", BY_GAME)
def test_schemas_of_a_match_are_discriminated_by_game(name: str) -> None:
    schema = SCHEMAS[name]
    assert schema["discriminator"]["propertyName"] == "game" and set(schema["discriminator"]["mapping"]) == set(
        catalogue
    )
    for slug, reference in schema["discriminator"]["mapping"].items():
        properties = resolved({"$ref": reference})["properties"]
        assert properties["game"]["const"] == slug
        assert properties["view"] == view_of(slug)


@pytest.mark.parametrize("slug", catalogue)
def test_values_of_a_game_fit_its_own_schemas_and_those_of_no_other_game(slug: str) -> None:
    game, rng = catalogue[slug], Random(3)
    views = {other: validator(view_of(other)) for other in catalogue}
    command, template = validator(SCHEMAS["CommandBody"]), validator(SCHEMAS["Template"])
    table = Table(game, seats=game.seats.min, chance=Chance(bytes(32)))
    table.settle()
    for _ in range(12):
        for witness in (*range(table.seats), SPECTATOR, HOST):
            told = to_json(table.witness(witness))
            assert [other for other, it in views.items() if it.is_valid(told)] == [slug]
        if table.outcome is not None:
            break
        seat = table.due.prompts[0].seat
        if template_command := game.template(table.witness(seat), seat, table.due.commands_of(seat)):
            template.validate(to_json(template_command))
        sample = table.sample(seat, rng)
        for form in (to_json(sample), {"text": game.notation.form(sample)}):
            command.validate(form)
        assert not command.is_valid({**to_json(sample), "more": 1})
        table.act(seat, sample)
        table.settle()


def test_number_sent_as_text_fits_the_schema() -> None:
    table = Table(catalogue["pentagram"], {"start_coins": 10**30}, chance=Chance(bytes(32)))
    validator(view_of("pentagram")).validate(to_json(table.state))
