"""A snapshot made before a change of its reducer must not be read after it: the number that stamps it says so."""

import json
from functools import cache
from typing import Any

import pytest

from games import catalogue
from tests.matches import state_versions

KEPT = json.loads(state_versions.GOLDEN.read_text(encoding="utf-8"))


@cache
def stamps() -> dict[str, dict[str, Any]]:
    """Those of now: made where they are asked for, and not by each process that collects tests."""
    return state_versions.stamps()


@pytest.mark.parametrize("whose", [*catalogue, "match"])
def test_changed_reducer_has_a_higher_state_version(whose: str) -> None:
    now, recorded = stamps()[whose], KEPT.get(whose)
    write = "then keep the new states: python -m tests.matches.state_versions > tests/matches/states.json"
    assert recorded is not None, f"{whose} is new here; {write}"
    if now["digest"] != recorded["digest"]:
        assert now["state_version"] > recorded["state_version"], (
            f"The states of {whose} are others: raise state_version."
        )
    assert now == recorded, f"The states of {whose} have a new number; {write}"


def test_state_versions_of_removed_reducers_are_not_stored() -> None:
    assert KEPT.keys() == stamps().keys()
