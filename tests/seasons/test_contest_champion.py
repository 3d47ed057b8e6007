"""A season of thirteen whose every main match is a contest, with all twelve presets, through REST to its champion."""

from pathlib import Path

import pytest

from tests.api.seasons import Cup
from tests.seasons import champion


@pytest.fixture(scope="module")
def cup() -> Cup:
    """The season, played to its champion."""
    cup = Cup(13, best_of=1)
    champion.play(cup)
    return cup


@pytest.mark.slow
def test_thirteen_play_all_twelve_presets_to_a_champion_and_the_record_verifies(cup: Cup) -> None:
    champion.check_champion_and_record(cup)


@pytest.mark.slow
def test_archive_of_a_season_of_contests_verifies_with_all_its_matches(cup: Cup, tmp_path: Path) -> None:
    champion.check_archive(cup, tmp_path)
