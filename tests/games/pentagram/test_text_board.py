"""The table in characters."""

from games.kernel import SPECTATOR
from games.pentagram import GAME
from tests.games.pentagram.stacked import play, table_with

BOARD = """\
Turn 3: seat 0 places K>B+ (black>blue+); 57 cards in the deck.

          4 costs 4    3 costs 3    2 costs 2    1 costs 1    0 free
O orange  .            O>B+ *0      .            .            .
Y yellow  .            .            .            .            .
K black   .            .            .            .            .
P purple  .            .            .            Y>B- *1      .
B blue    .            .            .            .            .

                   orange     yellow      black     purple       blue    workers      total
seat 0 (you)            1          4          4          4          4          2         17
seat 1                  4          4          4          3          4          2         19

O>B+ adds the orange coins to the blue ones, O>B- takes them off; *1 is a worker of seat 1.
A row pays from its space 0 up to the first gap, the highest space first.
Your turn: O3 puts the card on orange 3, O3 w a worker on it too."""


def test_the_seat_in_turn_sees_what_it_needs_to_play() -> None:
    table = table_with("orange>blue+", "yellow>blue-", "black>blue+", start_coins=4)
    play(table, "O3 w", "P1 w")
    assert GAME.text_board(table.witness(0), 0) == BOARD


def test_a_spectator_is_not_asked_to_play() -> None:
    table = table_with()
    assert "(you)" not in GAME.text_board(table.witness(SPECTATOR), SPECTATOR)
    assert "Your turn" not in GAME.text_board(table.witness(SPECTATOR), SPECTATOR)


def test_any_board_fits_a_hundred_columns() -> None:
    table = table_with(seats=5, start_coins=10**30, score="product")
    play(table, *["O4 w", "O3 w", "O2 w", "O1 w", "Y4 w"])
    table.act(3, {"type": "resign"})
    board = GAME.text_board(table.witness(0), 0)
    assert max(map(len, board.splitlines())) <= 100
    assert "~9.99e29" in board and "~1.00e30" in board and "seat 3 gone" in board
