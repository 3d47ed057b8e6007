"""The decision records: each has a title with its number, and one line in the index."""

import re
from collections import Counter
from pathlib import Path

import pytest

DECISIONS = Path(__file__).parents[2] / "docs" / "decisions"
RECORDS = sorted(DECISIONS.glob("[0-9]*.md"))


def test_index_lists_each_record_once() -> None:
    listed = re.findall(r"^\| \[(\d+)\]\((\S+)\) \| .+ \|$", (DECISIONS / "README.md").read_text(), re.MULTILINE)
    assert Counter(name for _, name in listed) == Counter(record.name for record in RECORDS)
    assert all(int(name[:4]) == int(number) for number, name in listed)


@pytest.mark.parametrize("name", [record.name for record in RECORDS])
def test_record_begins_with_its_number_and_a_status(name: str) -> None:
    title, _, status = (DECISIONS / name).read_text().split("\n")[:3]
    assert title.startswith(f"# {int(name[:4])}. ")
    assert status.startswith("Status: ")
