"""Board, deck and shop as an organiser may set them, and the refusals that name the key at fault."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

import games.peeling_the_banana as folder
from games.kernel import Illegal, Table, to_json
from games.peeling_the_banana import GAME


def test_the_content_file_is_the_default_and_can_be_given_as_options() -> None:
    content = tomllib.loads((Path(folder.__file__).parent / "content.toml").read_text(encoding="utf-8"))
    given = Table(GAME, content).options
    assert given == Table(GAME).options
    assert to_json(given) == {**content, "turns": 25}


def test_a_table_that_is_given_replaces_the_whole_default() -> None:
    options = Table(GAME, {"deck": {"domino": 3}, "shop": {"pent_p": 7}}).options
    assert options.deck == {"domino": 3} and options.shop == {"pent_p": 7}


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"deck": {"domino": 2, "lin3": 1}}, "'lin3'"),
        ({"deck": {"domino": "two"}}, "deck.domino"),
        ({"deck": {"domino": -1}}, "deck.domino"),
        ({"deck": {"domino": 21}}, "deck.domino"),
        ({"deck": {"domino": True}}, "deck.domino"),
        ({"deck": {"domino": 0}}, "deck"),
        ({"deck": {}}, "deck"),
        ({"deck": {"income": 1}}, "'income'"),
        ({"deck": []}, "deck"),
        ({"shop": {"banana": 1}}, "'banana'"),
        ({"shop": {"reach": 0}}, "shop.reach"),
        ({"shop": {"reach": 1.5}}, "shop.reach"),
        ({"board": []}, "board"),
        ({"board": [""]}, "board"),
        ({"board": ["#"] * 21}, "board"),
        ({"board": ["#" * 21]}, "board"),
        ({"board": ["##", "#"]}, "board: row 2"),
        ({"board": ["#x"]}, "board: row 1"),
        ({"board": ["#o"]}, "board: row 1"),
        ({"board": [".."]}, "board"),
        ({"board": "##"}, "board"),
        ({"turns": 0}, "turns"),
        ({"turns": 26}, "turns"),
    ],
    ids=str,
)
def test_options_that_cannot_be_played_are_refused_by_name(options: dict[str, Any], named: str) -> None:
    with pytest.raises(Illegal) as refusal:
        Table(GAME, options)
    assert refusal.value.code == "bad_options"
    assert named in refusal.value.message
