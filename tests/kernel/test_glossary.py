"""The glossary holds one meaning a word, in alphabetical order."""

import re
from pathlib import Path

from games import catalogue

GLOSSARY = Path(__file__).parents[2] / "docs" / "glossary.md"
ROWS = re.findall(r"^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", GLOSSARY.read_text(encoding="utf-8"), re.MULTILINE)[1:]


def test_words_are_unique_and_sorted() -> None:
    words = [word.lower() for word, _, _ in ROWS]
    assert len(words) > 80
    assert words == sorted(set(words))


def test_every_word_names_its_owner() -> None:
    owners, named = {"kernel", "tests", "store", "host", "season"}, {where for _, where, _ in ROWS}
    assert owners <= named, f"docs/glossary.md has no word of {', '.join(sorted(owners - named))}."
    assert named <= owners | {game.title for game in catalogue.values()}
