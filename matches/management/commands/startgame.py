"""manage.py startgame SLUG [--title TITLE] [--folder FOLDER]: copy the example game under a new name."""

import re
from html import escape
from keyword import iskeyword
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games import catalogue

ROOT = Path(__file__).parents[3]
EXAMPLE, EXAMPLE_TITLE, EXAMPLE_FOLDER = "sealed_bids", "Sealed Bids", Path("tests/recipe")
TESTS = Path("tests/games")
LONGEST_SLUG, LONGEST_TITLE = 30, 40
_SLUG = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", re.ASCII)
_TITLE = re.compile(r"[A-Za-z0-9][A-Za-z0-9 '!?&.-]*", re.ASCII)
_KINDS = (".py", ".md", ".golden", ".json", ".svg")
_TAKEN = {"tray": "matches/html/trays/tray.py uses the name"}
_NEXT = """\
Wrote {games} and {tests}: {example} under the name {title}, whole and playable.

Add it to the catalogue in {catalogue}:

    from {parent} import {slug}
    {slug}.GAME,    among GAMES

and to the standalone verifier, then run the laws and its tests:

    python -m matches.audit.rendering
    python -m pytest --noconftest tests/games tests/laws tests/kernel \\
        -k "{slug} and not test_lessons and not test_guides"

These pass. The tests of test_lessons.py and test_guides.py fail until you write lesson.py and guide.py, when the rules
are finished. Now change the game rule by rule, as docs/adding-a-game.md describes."""


class Command(BaseCommand):
    help = (
        "Make the files of a new game and of its tests: a small game of hidden bids under the new name, which passes "
        "the laws and is then changed rule by rule. See docs/adding-a-game.md."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the game's name in addresses and files, in snake_case: night_market")
        parser.add_argument("--title", help="the game's title; by default made from the slug: Night Market")
        parser.add_argument("--folder", type=Path, default=Path("games"), help="the package to which the game is added")

    def handle(self, *args: Any, slug: str, title: str | None, folder: Path, **options: Any) -> None:
        """Write the files; raise CommandError before the first one if a name or place is refused."""
        named = title if title is not None else slug.replace("_", " ").title()
        _check_slug(slug)
        _check_title(named)
        _check_places(slug, folder)
        for path, text in _files(slug, named, folder).items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        places = {"games": folder / slug, "tests": TESTS / slug, "catalogue": Path("games/__init__.py")}
        names = {"slug": slug, "title": named, "example": EXAMPLE_TITLE, "parent": _package(folder)}
        self.stdout.write(_NEXT.format(**places, **names))


def _check_slug(slug: str) -> None:
    if not _SLUG.fullmatch(slug) or iskeyword(slug) or len(slug) > LONGEST_SLUG:
        raise CommandError(
            f"{slug!r} can't be a slug. Use small letters, digits and single underscores, a letter first, at most "
            f"{LONGEST_SLUG} characters, and no keyword of Python. For example: night_market."
        )
    if slug in _TAKEN:
        raise CommandError(f"{slug} can't be a game's slug: {_TAKEN[slug]}.")
    if slug in catalogue:
        raise CommandError(f"{slug} is in the catalogue already; choose another slug.")


def _check_title(title: str) -> None:
    if not _TITLE.fullmatch(title) or len(title) > LONGEST_TITLE:
        raise CommandError(
            f"{title!r} can't be a title. Use at most {LONGEST_TITLE} letters, digits, spaces and ' ! ? & . -"
        )
    if title.lower() in {game.title.lower() for game in catalogue.values()}:
        raise CommandError(f"There is a game called {title} already; choose another --title.")


def _check_places(slug: str, folder: Path) -> None:
    if folder.is_absolute() or not all(part.isidentifier() for part in folder.parts):
        raise CommandError(f"--folder must be a package of this checkout, such as games, and not {folder}.")
    if folder == TESTS:
        raise CommandError(f"{TESTS} is for the tests; name another --folder.")
    if not (ROOT / folder / "__init__.py").is_file():
        raise CommandError(f"There is no package {folder}: it needs an __init__.py.")
    if not (ROOT / EXAMPLE_FOLDER / EXAMPLE).is_dir():
        raise CommandError(
            f"{EXAMPLE_FOLDER / EXAMPLE} doesn't exist, so it can't be copied. Run this command in a checkout."
        )
    for place in (folder / slug, TESTS / slug):
        for path in (place, place.with_suffix(".py")):
            if (ROOT / path).exists():
                raise CommandError(f"{path} exists already. Choose another slug, or delete it first.")


def _files(slug: str, title: str, folder: Path) -> dict[Path, str]:
    """Return the contents of the game's and its tests' files by path."""
    contents: dict[Path, str] = {}
    for old, new in ((EXAMPLE_FOLDER / EXAMPLE, folder / slug), (TESTS / EXAMPLE, TESTS / slug)):
        for path in sorted((ROOT / old).rglob("*")):
            if path.suffix in _KINDS:
                renamed = _renamed(path, slug, title, _package(folder))
                contents[ROOT / new / path.relative_to(ROOT / old)] = renamed
    return contents


def _renamed(path: Path, slug: str, title: str, package: str) -> str:
    """Return the text of one of the example's files with the new game's names."""
    text = path.read_text(encoding="utf-8")
    text = text.replace(f"{_package(EXAMPLE_FOLDER)}.{EXAMPLE}", f"{package}.{slug}").replace(EXAMPLE, slug)
    text = text.replace(EXAMPLE_TITLE, escape(title) if path.suffix == ".svg" else title)
    return _sorted_imports(text) if path.suffix == ".py" else text


def _package(folder: Path) -> str:
    return ".".join(folder.parts)


def _sorted_imports(text: str) -> str:
    """Return the text with the imports of games and tests sorted; each is one line."""

    def in_order(block: re.Match[str]) -> str:
        return "".join(sorted(block[0].splitlines(keepends=True), key=lambda line: line.split()[1]))

    return re.sub(r"^(?:from (?:games|tests)\b.* import .*\n)+", in_order, text, flags=re.MULTILINE)
