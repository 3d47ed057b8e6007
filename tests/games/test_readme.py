"""Every game's README has the same sections in the same order, and says what the code does."""

import re
from pathlib import Path

import pytest

from games.kernel import Game
from games.kernel.messages import type_name
from tests.games.every import EVERY

SECTIONS = ["Rules", "Rulings", "Options", "Clocks", "Notation", "Error codes"]
TESTS = Path(__file__).parent
EVERY_GAME = pytest.mark.parametrize("game", EVERY.values(), ids=list(EVERY))


def sections_of(game: Game) -> dict[str, str]:
    """The sections under `##` headings, by title, in order."""
    _, *parts = re.split(r"^## (.*)$", game.readme, flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def rules_of(game: Game) -> list[int]:
    """The numbers of the rules, as they stand."""
    return [int(number) for number in re.findall(r"^\*\*R(\d+)\b", sections_of(game)["Rules"], re.MULTILINE)]


def proofs_of(game: Game) -> str:
    """The source of the game's own tests."""
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted((TESTS / game.slug).glob("*.py")))


def codes_raised_by(game: Game) -> set[str]:
    """The codes that stand in the game's source."""
    source = "\n".join(path.read_text(encoding="utf-8") for path in game.folder.glob("*.py"))
    return set(re.findall(r'Illegal\(\s*"([a-z_]+)"', source))


def codes_listed_by(game: Game) -> set[str]:
    """The codes in the table of the README."""
    return set(re.findall(r"^\| `([a-z_]+)` \|", sections_of(game)["Error codes"], re.MULTILINE))


@EVERY_GAME
def test_the_six_sections_come_first_and_in_order(game: Game) -> None:
    assert game.readme.startswith(f"# {game.title}\n")
    assert list(sections_of(game))[: len(SECTIONS)] == SECTIONS


@EVERY_GAME
def test_rules_are_numbered_from_one_and_each_has_a_test_of_its_number(game: Game) -> None:
    rules = rules_of(game)
    assert rules == list(range(1, len(rules) + 1))
    proved = {
        int(number)
        for name in re.findall(r"def test_((?:r\d+_)+)", proofs_of(game))
        for number in name[1:-1].split("_r")
    }
    unproved = [f"R{number}" for number in rules if number not in proved]
    assert not unproved, f"No test in tests/games/{game.slug} is named after {', '.join(unproved)}."


@EVERY_GAME
def test_every_option_and_clock_and_command_is_described(game: Game) -> None:
    sections = sections_of(game)
    for option in game.Options.__struct_fields__:
        assert f"| `{option}` |" in sections["Options"]
    for name, clock in game.clocks.items():
        row = next(row for row in sections["Clocks"].splitlines() if row.startswith(f"| `{name}`"))
        assert f"| {clock.base} s | {clock.reserve} s |" in row
    for command in game.commands:
        assert re.search(rf'`({type_name(command)}\b|{{"type": "{type_name(command)}")', sections["Notation"])


@EVERY_GAME
def test_every_code_is_listed_and_proved(game: Game) -> None:
    kernel = {"bad_options", "malformed", "no_such_seat", "not_now", "not_your_turn"}
    listed = codes_listed_by(game)
    assert codes_raised_by(game) - kernel <= listed <= codes_raised_by(game)
    unproved = [code for code in sorted(listed) if f'"{code}"' not in proofs_of(game)]
    assert not unproved, f"No test in tests/games/{game.slug} names {', '.join(unproved)}."


@EVERY_GAME
def test_the_aids_of_a_game_are_listed_with_their_kinds(game: Game) -> None:
    listed = re.findall(r"^\| `(\w+)` \| (\w+) \| (.*) \|$", sections_of(game).get("Aids", ""), re.MULTILINE)
    assert listed == [(name, aid.kind, aid.tells) for name, aid in game.aids.items()]


@EVERY_GAME
def test_allowed_tools_in_the_readme_equal_those_on_the_page(game: Game) -> None:
    tools = " ".join(sections_of(game).get("Tools", "").split())
    assert tools.startswith(game.tools) and bool(tools) == bool(game.tools)
