"""Today's interfaces answer as recorded. `python -m tests.golden --write` records them anew."""

import os
from collections.abc import Callable
from functools import partial

import pytest

from games import catalogue
from tests.api.document import OPERATIONS
from tests.golden import account, contests, match, openapi, season, table
from tests.golden.transcript import RECORDS, Transcript, covered, differences

SCRIPTS: dict[str, Callable[[], Transcript]] = {
    **{slug: partial(match.play, slug) for slug in catalogue},
    "season": season.play,
    "table": table.play,
    "account": account.play,
    "contests": contests.play,
    "openapi": openapi.read,
}


def record_lines(name: str) -> list[str]:
    return (RECORDS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", SCRIPTS)
def test_interfaces_answer_as_recorded(name: str) -> None:
    lines = SCRIPTS[name]().lines()
    if os.environ.get("WRITE_GOLDEN") == "1":
        (RECORDS / f"{name}.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    changed = differences(record_lines(name), lines)
    assert not changed, "\n".join([f"{name} differs from its record. {__doc__}", *changed])


def test_records_hold_every_operation() -> None:
    missing = set(OPERATIONS) - covered([record_lines(name) for name in SCRIPTS])
    assert not missing, f"Use {sorted(missing)} in a script of tests/golden, as season.py, and write the records."
