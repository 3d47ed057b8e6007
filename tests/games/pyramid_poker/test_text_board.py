"""The pyramid in characters."""

import pytest

from games.kernel import HOST, SPECTATOR
from games.pyramid_poker import GAME
from tests.games.pyramid_poker.built import built, compared, construction
from tests.games.pyramid_poker.test_end import ONE_ONE


def test_r6_the_board_shows_what_its_seat_knows() -> None:
    table = construction("10S A1", "2S A2", "3S B1")
    rows = GAME.text_board(table.witness(0), 0).splitlines()
    assert "A  [10S] [ ? ]   +     +     +     +     +     +" in rows
    assert "B     [ 3S]   .     .     .     .     .     ." in rows


def test_r9_drawable_bricks_are_in_round_brackets() -> None:
    board = GAME.text_board(built().witness(SPECTATOR), SPECTATOR)
    assert board.count("( ? )") == 4 and board.count("[ ? ]") == 26


def test_r12_the_board_tells_the_hands_at_the_end() -> None:
    board = GAME.text_board(compared(*ONE_ONE).witness(1), 1)
    assert "The match is over; hands won 1-1." in board
    assert "Seat 1 (you)" in board and "two pair, wins" in board


@pytest.mark.parametrize("base", range(8, 13))
def test_the_board_fits_a_terminal(base: int) -> None:
    board = GAME.text_board(GAME.open({"base": base}, 2, 0), HOST)
    assert max(map(len, board.splitlines())) <= 100
