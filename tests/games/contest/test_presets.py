"""Tests of the presets: they are read without a fault, explained to players, and played by bots to their end."""

import re

import pytest

from games.contest import GAME
from games.contest.checks import faults_of
from games.contest.evaluations import AnyScheme
from games.contest.options import Options
from games.contest.presets import PRESETS, load
from games.contest.reading import read_content
from games.contest.trial import trial
from games.kernel import to_json

HEADINGS = ["What you do", "What it costs", "How you win", "Example"]
EVERY_PRESET = pytest.mark.parametrize("name", PRESETS)
FAMILIES: dict[str, set[str]] = {
    "quiet_shore": {"minority"},
    "emptied_house": {"first_price", "second_price", "all_pay"},
    "salt_road": {"matrix"},
    "lone_lantern": {"unique_lowest"},
    "village_well": {"public_good", "named_most"},
    "fading_echo": {"closest"},
    "harbour_watch": {"named_most"},
    "morning_fair": {"unique_highest", "sum"},
    "sealed_almanac": {"answer", "race"},
    "rope_bridge": {"matrix"},
    "council_of_seals": {"named_most", "named_least"},
    "last_line": {"host", "named_most"},
}


def test_every_file_of_the_folder_is_a_preset() -> None:
    assert {path.stem for path in (GAME.folder / "presets").glob("*.toml")} == set(PRESETS) == set(FAMILIES)


@EVERY_PRESET
def test_preset_is_read_without_faults_and_read_back(name: str) -> None:
    content = load(name)
    assert faults_of(content) == () and read_content(to_json(content)) == content
    assert load(name) is content
    assert {_kind(of_round.scheme) for of_round in content.rounds} == FAMILIES[name]


def _kind(scheme: AnyScheme) -> str:
    return str(scheme.__struct_config__.tag)


@EVERY_PRESET
def test_rules_of_a_preset_say_what_players_need(name: str) -> None:
    content = load(name)
    assert re.findall(r"^## (.*)$", content.rules, re.MULTILINE) == HEADINGS
    assert all(of_round.title and (of_round.text or of_round.fields) for of_round in content.rounds)


@EVERY_PRESET
def test_bots_play_a_preset_to_its_end_with_few_and_many_seats(name: str) -> None:
    content = load(name)
    for seats in {content.least_seats, min(13, content.most_seats)}:
        played = trial(content, seats, 2, seed=7)
        assert played.commands.most <= GAME.bound(Options(content=content), seats)


def test_unknown_preset_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        load("../options")
