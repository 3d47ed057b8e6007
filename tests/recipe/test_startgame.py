"""The result of `manage.py startgame` is a complete game: it passes the laws and every check unchanged."""

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from matches.management.commands import startgame

ROOT = Path(__file__).parents[2]
SLUG, TITLE = "abacus_2_night", "Don't Stop & Count!"
"""A slug that stands before all our other imports, and a title with whatever a title may hold."""
RECIPE = ROOT / "docs" / "adding-a-game.md"
CHECKED = """
from games import catalogue
from tests.laws.runs import check_seed

for seed in range(6):
    assert check_seed(catalogue["{slug}"], seed).pairs
"""


def copied(to: Path) -> Path:
    """The checkout with games and tests that can be written to."""
    for entry in ROOT.iterdir():
        if entry.name in ("games", "tests"):
            shutil.copytree(entry, to / entry.name, ignore=shutil.ignore_patterns("__pycache__"))
        elif entry.name == "manage.py":
            shutil.copy(entry, to)
        elif not entry.name.startswith(".") and entry.name != "var":
            (to / entry.name).symlink_to(entry)
    return to


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One into which nobody writes."""
    return copied(tmp_path_factory.mktemp("untouched"))


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The checkout with a new game, and with what the command asks to be written into the catalogue."""
    assert f"games/{SLUG} and tests/games/{SLUG}" in run(
        copied(tmp_path), "manage.py", "startgame", SLUG, "--title", TITLE
    )
    file = tmp_path / "games" / "__init__.py"
    text = file.read_text(encoding="utf-8").replace("from games import (\n", f"from games import (\n    {SLUG},\n")
    file.write_text(text.replace("= (\n    ", f"= (\n    {SLUG}.GAME,\n    ", 1), encoding="utf-8")
    return tmp_path


def recipes_command() -> list[str]:
    """The command of docs/adding-a-game.md that passes right after `startgame`, without its `python`."""
    match = re.search(r'^    python (-m pytest .*-k) "(.*)"$', RECIPE.read_text(encoding="utf-8"), re.MULTILINE)
    assert match is not None
    return [*match[1].split(), match[2].replace("SLUG", SLUG)]


def run(checkout: Path, *command: str) -> str:
    """Run something there, where no service has ever run; it must end well. Gives what it tells."""
    done = subprocess.run(
        [sys.executable, "-B", *command], cwd=checkout, env={"PATH": os.environ["PATH"]},
        capture_output=True, text=True, check=False, timeout=180,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_new_game_keeps_the_laws_and_the_style(checkout: Path) -> None:
    run(checkout, "-c", CHECKED.format(slug=SLUG))
    run(checkout, "-m", "ruff", "check", "--no-cache", "games", f"tests/games/{SLUG}")


def test_nothing_in_a_new_game_is_called_as_the_example_is(checkout: Path) -> None:
    files = [*(checkout / "games" / SLUG).rglob("*.*"), *(checkout / "tests" / "games" / SLUG).rglob("*.*")]
    assert len(files) > 20
    assert not [path for path in files for name in ("sealed_bids", "Sealed Bids") if name in path.read_text()]


def test_the_recipe_and_the_command_name_the_same_tests(tmp_path: Path) -> None:
    output = run(copied(tmp_path), "manage.py", "startgame", SLUG)
    *command, chosen = recipes_command()
    assert f'python {" ".join(command)} "{chosen}"' in re.sub(r"\\\n\s+", "", output)


@pytest.mark.slow
def test_a_new_game_lacks_a_lesson_and_a_guide_and_nothing_else(checkout: Path) -> None:
    wanting = [f"tests/games/test_{name}.py" for name in ("lessons", "guides")]
    command = [sys.executable, "-B", "-m", "pytest", "-q", "--noconftest", "-p", "no:cacheprovider", "-k", SLUG]
    done = subprocess.run(
        [*command, *wanting], cwd=checkout, env={"PATH": os.environ["PATH"]},
        capture_output=True, text=True, check=False, timeout=180,
    )  # fmt: skip
    failed = re.findall(r"^FAILED tests/games/test_(\w+)\.py::", done.stdout, re.MULTILINE)
    assert Counter(failed) == {"lessons": 6, "guides": 7}, done.stdout + done.stderr
    assert f"games/{SLUG}/lesson.py is missing" in done.stdout and f"games/{SLUG}/guide.py is missing" in done.stdout
    assert " passed" not in done.stdout.splitlines()[-1]
    recipe = RECIPE.read_text(encoding="utf-8")
    assert "the 6 of `test_lessons.py`" in recipe and "the 7 of `test_guides.py`" in recipe


@pytest.mark.slow
def test_a_new_game_passes_the_recipes_tests_and_the_types(checkout: Path) -> None:
    run(checkout, *recipes_command(), "-q", "-p", "no:cacheprovider")
    run(checkout, "-m", "mypy", "--cache-dir", str(checkout / "types"), f"games/{SLUG}")
    run(checkout, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"slug": "Night-Market"}, "For example: night_market"),
        ({"slug": "2_night"}, "can't be a slug"),
        ({"slug": "night__market"}, "can't be a slug"),
        ({"slug": "../night"}, "can't be a slug"),
        ({"slug": "lambda"}, "can't be a slug"),
        ({"slug": "n" * 31}, "at most 30"),
        ({"slug": "tray"}, "uses the name"),
        ({"slug": "pentagram"}, "in the catalogue already"),
        ({"slug": "kernel"}, "games/kernel exists already"),
        ({"slug": "sealed_bids"}, "tests/games/sealed_bids exists already"),
        ({"slug": "colours"}, "tests/games/colours.py exists already"),
        ({"title": 'A "title"'}, "can't be a title"),
        ({"title": "{0}"}, "can't be a title"),
        ({"title": ""}, "can't be a title"),
        ({"title": "n" * 41}, "at most 40"),
        ({"title": "pyramid poker"}, "called pyramid poker already"),
        ({"folder": Path("../elsewhere")}, "package of this checkout"),
        ({"folder": Path("/games")}, "package of this checkout"),
        ({"folder": Path("nowhere")}, "no package nowhere"),
        ({"folder": Path("tests/games")}, "is for the tests"),
    ],
    ids=lambda it: str(next(iter(it.values()))) if isinstance(it, dict) else "",
)
def test_impossible_game_name_is_refused_in_a_sentence_and_writes_nothing(
    untouched: Path, monkeypatch: pytest.MonkeyPatch, arguments: dict[str, Any], message: str
) -> None:
    monkeypatch.setattr(startgame, "ROOT", untouched)
    before = sorted(untouched.rglob("*"))
    with pytest.raises(CommandError) as refused:
        call_command(
            "startgame", arguments.get("slug", "night_market"), **{k: v for k, v in arguments.items() if k != "slug"}
        )
    assert message in str(refused.value)
    assert sorted(untouched.rglob("*")) == before
