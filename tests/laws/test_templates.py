"""The templates of commands with too many variants to list: each is enough to make one."""

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from typing import Any

import pytest

from games.kernel import Chance, Command, Table, to_json
from tests.games.every import EVERY
from tests.laws.settings import options_of

SEEDS = range(3)
LISTED = 500
"""Maximum number of commands that a client gets in a list."""


def moments_of(slug: str, seed: int) -> Iterator[tuple[Table, int]]:
    """A match played at random, as it stands before each command, and the seat that gives it."""
    game, rng = EVERY[slug], Random(seed)
    table = Table(game, options=options_of(game)(rng), seats=game.seats.min, chance=Chance(bytes([seed])))
    table.settle()
    while table.outcome is None:
        seat = rng.choice(table.due.prompts).seat
        if isinstance(seat, int):
            yield table, seat
        table.act(seat, table.sample(seat, rng))
        table.settle()


def asked_for(table: Table, seat: int) -> set[str]:
    return set(table.due.commands_of(seat))


def template_at(table: Table, seat: int) -> dict[str, Any] | None:
    game = table.game
    template = game.template(game.forget(table.witness(seat)), seat, asked_for(table, seat))
    return None if template is None else to_json(template)


@pytest.mark.parametrize("slug", EVERY)
def test_truncated_list_has_a_template(slug: str) -> None:
    for table, seat in islice(moments_of(slug, 1), 60):
        cut = len(list(islice(table.legal(seat), LISTED + 1))) > LISTED
        if cut or table.game.unlisted & asked_for(table, seat):
            template = template_at(table, seat)
            assert template is not None and template["type"] in asked_for(table, seat)


def fits_assignment(template: dict[str, Any], command: dict[str, Any]) -> bool:
    group = next(it for it in template["groups"] if (it["board"], it["shape"]) == (command["board"], command["shape"]))
    free = {*template["left"], *group["cards"]}
    missing = [command["board"], command["shape"]] in template["missing"]
    return (
        len(command["cards"]) == group["size"]
        and {card[0] for card in command["cards"]} <= set(group["suits"])
        and set(command["cards"]) <= free
        and missing == (not group["cards"])
    )


def fits_bending(template: dict[str, Any], command: dict[str, Any]) -> bool:
    return (
        len(command["rules"]) == template["count"]
        and set(command["rules"]) <= set(template["new"])
        and command.get("bridge") in (None, *template["bridges"])
        and command.get("break") in (None, *template["breaks"])
    )


def fits_play(template: dict[str, Any], command: dict[str, Any]) -> bool:
    card = next(it for it in template["cards"] if it["card"] == command["card"])
    named_places = {name for name in ("placement", "target") if name in command}
    if card["takes"] == "placement":
        whole = {"rotation": 0, "flip": False} | command["placement"]
        return named_places == {"placement"} and whole in template["placements"][card["kind"]]
    return named_places == {card["takes"]} - {None} and command.get("target") in (None, *card["targets"])


def fits_submission(template: dict[str, Any], command: dict[str, Any]) -> bool:
    if template["type"] != "submit":
        return True
    names = {it["field"]["name"] for it in template["fields"]}
    return bool(command["round"] == template["round"]) and names == set(command.get("values", {}))


FITS: dict[str, tuple[str, Callable[[dict[str, Any], dict[str, Any]], bool]]] = {
    "higher_or_lower": ("assign_group", fits_assignment),
    "reality_benders": ("bend", fits_bending),
    "peeling_the_banana": ("play_card", fits_play),
    "contest": ("submit", fits_submission),
}


def test_every_template_has_a_check() -> None:
    assert set(FITS) == {slug for slug, game in EVERY.items() if game.templates}


@pytest.mark.parametrize("slug", FITS)
def test_legal_commands_fit_the_template(slug: str) -> None:
    name, fits = FITS[slug]
    checked = 0
    for seed in SEEDS:
        for table, seat in islice(moments_of(slug, seed), 80):
            template = template_at(table, seat)
            if template is None:
                continue
            chosen: list[Command] = [table.sample(seat, Random(seed)), *islice(table.legal(seat), 0, None, 97)]
            for command in map(to_json, chosen):
                if command["type"] == name:
                    assert fits(template, command), f"{command} doesn't fit {template}"
                    checked += 1
    assert checked > 50


def test_template_of_a_bending_has_items_while_they_are_in_hand() -> None:
    for table, seat in moments_of("reality_benders", 2):
        template = template_at(table, seat)
        if template is None:
            continue
        view = table.witness(seat)
        assert bool(template["breaks"]) == ("break" in view.items[seat] and bool(view.rules))
        for item, field in (("bridge", "bridges"), ("break", "breaks")):
            for rule in template[field][:1]:
                free = [it for it in template["new"] if it != rule][: template["count"]]
                command = {"type": "bend", "rules": free, item: rule}
                assert table.game.decide(view, seat, table.game.read_command(command), Chance(seed=None))
