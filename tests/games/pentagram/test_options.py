"""The options that an organiser may set."""

import pytest

from games.kernel import HOST, Illegal, Table, to_json
from games.pentagram import GAME
from tests.games.pentagram.stacked import play, table_with


@pytest.mark.parametrize(
    "options",
    [
        {"start_coins": 0},
        {"start_coins": "2"},
        {"start_coins": 10**30 + 1},
        {"start_coins": "9" * 5000},
        {"workers": -1},
        {"workers": 61},
        {"workers": True},
        {"target": 0},
        {"zero_column": "full"},
        {"end": "never"},
        {"score": "median"},
        {"rounds": 0},
        {"rounds": 61},
        {"end": "rounds", "rounds": "3"},
        {"coins": 3},
    ],
    ids=lambda options: str(options)[:30],
)
def test_ruling_3_options_that_cant_be_played_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(Illegal) as refused:
        Table(GAME, options)
    assert refused.value.code == "bad_options"
    assert refused.value.message.endswith(".")


@pytest.mark.parametrize("seats", [1, 6])
def test_two_to_five_seats_can_play(seats: int) -> None:
    with pytest.raises(Illegal, match="bad_options"):
        Table(GAME, {}, seats)


def test_ruling_1_large_options_are_recorded_as_strings_and_read_back() -> None:
    table = table_with(start_coins=2**70)
    play(table, "O4 w")
    recorded = to_json(table.options)
    assert recorded["start_coins"] == str(2**70)
    replayed = Table.replay(GAME, recorded, 2, 0, table.events(HOST))
    assert (replayed.options, replayed.state) == (table.options, table.state)
