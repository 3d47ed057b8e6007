"""A snapshot made before a change of its reducer must not be read after it: the number that stamps it says so."""

import json

import pytest

from tests.matches.state_versions import GOLDEN, stamps

NOW, KEPT = stamps(), json.loads(GOLDEN.read_text(encoding="utf-8"))


@pytest.mark.parametrize("whose", NOW)
def test_who_changes_what_a_reducer_makes_of_events_raises_its_state_version(whose: str) -> None:
    now, kept = NOW[whose], KEPT.get(whose)
    write = "then keep the new states: python -m tests.matches.state_versions > tests/matches/states.json"
    assert kept is not None, f"{whose} is new here; {write}"
    if now["digest"] != kept["digest"]:
        assert now["state_version"] > kept["state_version"], f"The states of {whose} are others: raise state_version."
    assert now == kept, f"The states of {whose} have a new number; {write}"


def test_nothing_is_kept_of_what_is_gone() -> None:
    assert KEPT.keys() == NOW.keys()
