"""The number of lines of play; it changes with the rules."""

from collections import Counter

import pytest

from games.pentagram import GAME
from tests.games.pentagram.stacked import play, table_with
from tests.tree import count, lines


@pytest.mark.parametrize(
    ("options", "counts"),
    [
        ({}, (30, 880)),
        ({"workers": 0}, (25, 605)),
        ({"start_coins": 2}, (35, 1190)),
        ({"start_coins": 5}, (50, 2420)),
        ({"zero_column": "dealt"}, (20, 425)),
        ({"end": "target", "target": 6}, (30, 880)),
        ({"zero_column": "waits"}, (30, 860)),
        ({"end": "rounds", "rounds": 1}, (30, 880)),
    ],
    ids=str,
)
def test_r4_and_r5_the_first_two_placements(options: dict[str, object], counts: tuple[int, int]) -> None:
    state = table_with("orange>blue+", "blue>black+", **options).state
    assert tuple(count(GAME, state, depth) for depth in (1, 2)) == counts


def test_r9_the_winners_at_the_end_of_every_line_of_the_last_two_placements() -> None:
    """Seat 0 wins where its worker is paid (5 of 30) and seat 1 places none (25 of 30)."""
    table = table_with("blue>purple-")
    play(table, *["O0"] * 58)
    winners = Counter(GAME.outcome(state).winners for state in lines(GAME, table.state, 2))
    assert winners == {(0,): 5 * 25, (1,): 880 - 5 * 25}
