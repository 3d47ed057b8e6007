"""The options of a season."""

from typing import Any

import pytest

from games import catalogue
from games.kernel.wire import read_strictly
from matches.seasons.domain.options import POOL, SeasonOptions
from tests.table_setting import refusal_of


def test_the_defaults_are_playable() -> None:
    assert SeasonOptions().pool == POOL
    assert len(POOL) >= 3


def test_contest_is_in_no_pool_of_death_matches() -> None:
    assert set(POOL) == catalogue.keys() - {"contest"}
    with pytest.raises(ValueError, match="pool names"):
        SeasonOptions(pool=("contest", "pentagram", "pyramid_poker"))


def test_a_final_may_go_through_the_whole_pool() -> None:
    assert SeasonOptions(pool=POOL[:3], best_of=3).best_of == 3


@pytest.mark.parametrize(
    "wrong",
    [
        {"pool": []}, {"pool": ["chess"]}, {"pool": ["pentagram", "pentagram"]}, {"best_of": 2}, {"best_of": 11},
        {"pool": ["pentagram"], "best_of": 3}, {"bans_each": 3}, {"bans_each": -1}, {"most_players": 2},
        {"pool": ["pentagram", "pyramid_poker"], "best_of": 1, "bans_each": 1},
        {"starting_garnets": -1}, {"reward": 10**10}, {"priority": "loudest"}, {"approval": "yes"}, {"colour": "red"},
    ],
)  # fmt: skip
def test_unplayable_options_are_refused(wrong: dict[str, Any]) -> None:
    assert refusal_of(lambda: read_strictly(wrong, SeasonOptions, "bad_options")) == "bad_options"
