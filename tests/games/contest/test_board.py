"""The picture of a contest: the scoreboard, and what it shows to whom."""

import pytest

from games.contest import GAME
from games.contest.board import BOARD
from games.contest.lesson import CONTENT
from games.drawing.themes import DARK, LIGHT, Theme
from games.kernel import HOST, SPECTATOR, Chance, Table, Witness, to_json
from tests.games.golden_board import check_golden_board

NAMES = ("Ada", "Ben", "Cleo")


def bidding() -> Table:
    """Return a table of the lesson's contest in its second round; seat 0 has bid 6."""
    table = Table(GAME, {"content": to_json(CONTENT)}, 3, 0, Chance(b"board"))
    table.settle()
    for seat, number in enumerate((2, 2, 4)):
        table.act(seat, {"type": "submit", "round": 1, "values": {"number": number}})
    table.settle()
    table.act(0, {"type": "submit", "round": 2, "values": {"bid": 6}})
    return table


def drawn(table: Table, viewer: Witness, theme: Theme = LIGHT, **marks: tuple[str, ...]) -> str:
    return BOARD.draw(table.witness(viewer), viewer=viewer, theme=theme, names=NAMES, **marks)


@pytest.mark.parametrize("viewer", [0, SPECTATOR], ids=str)
def test_golden_board_of_a_round(viewer: Witness) -> None:
    name = f"bidding-{viewer if isinstance(viewer, int) else viewer.value}"
    check_golden_board("contest", name, drawn(bidding(), viewer, targets=("1",), last=("2",)))


def test_golden_board_of_the_end_in_the_dark() -> None:
    table = bidding()
    for seat in (1, 2):
        table.act(seat, {"type": "resign"})
    check_golden_board("contest", "over-1-dark", drawn(table, 1, DARK))


def test_score_of_the_end_is_that_of_the_first_place() -> None:
    table = bidding()
    while table.outcome is None:
        table.flag(table.due.seats[0])
        table.settle()
    assert GAME.board.score(table.state, table.outcome) == "with 3 points"
    assert BOARD.headline(table.state, names=NAMES) == "Ada has won the match"


def test_tables_show_published_submissions_alone() -> None:
    for viewer in (0, 1, SPECTATOR, HOST):
        score, first = BOARD.tables(bidding().witness(viewer), viewer=viewer, names=NAMES)
        assert score.rows[0] == ("Ada", "0", "10", "has submitted") and score.rows[1][-1] == "deciding"
        assert first.rows[2] == ("Cleo", "number 4", "+2")
