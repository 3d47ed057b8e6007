"""The five boards at the end: who won each, which one decided, and what is told where its points were equal."""

from xml.etree import ElementTree

from games.drawing.themes import HOUSE
from games.higher_or_lower import GAME
from games.higher_or_lower.board import BOARD
from games.kernel import Table
from tests.games.higher_or_lower.staged import board_chosen, dealt_log, round_finished

NAMES = ("Ada", "Ben")


def played(*winners: int, last: tuple[int, int] = (0, 1)) -> Table:
    log = list(dealt_log())
    for board, winner in zip("ABCDE", winners, strict=False):
        log += [board_chosen(board, "first"), round_finished(board, winner)]
    log[-1] = {**log[-1], "points": last}
    return Table.replay(GAME, {}, 2, 0, log)


def finale_of(table: Table) -> ElementTree.Element:
    drawn = BOARD.finale(table.state, viewer=0, theme=HOUSE, names=NAMES)
    assert drawn is not None
    return ElementTree.fromstring(drawn)  # noqa: S314


def words(root: ElementTree.Element) -> list[str]:
    return [it.text or "" for it in root.iter("{http://www.w3.org/2000/svg}text")]


def test_boards_are_shown_one_by_one_and_the_last_decides() -> None:
    table = played(0, 1, 1, 1, last=(2, 6))
    root = finale_of(table)
    assert root.attrib["aria-label"].split(". ")[1:] == [
        "Board A: 1 to 0, Ada wins it",
        "Board B: 0 to 1, Ben wins it",
        "Board C: 0 to 1, Ben wins it",
        "Board D: 2 to 6, Ben wins it.",
    ]
    text = words(root)
    assert "Board D decides" in text and text.count("unplayed") == 1
    assert table.outcome is not None and BOARD.score(table.state, table.outcome) == "three boards to one"


def test_equal_points_show_who_went_second() -> None:
    table = played(1, 1, 1, last=(4, 4))
    root = finale_of(table)
    assert "Board C decides: equal, and Ben went second" in words(root)
    assert root.attrib["aria-label"].endswith("Board C: 4 to 4, Ben wins it, having gone second.")
    assert table.outcome is not None and BOARD.score(table.state, table.outcome) == "three boards to none"


def test_two_boards_decide_nothing() -> None:
    state = played(1, 0, 1).state
    assert BOARD.finale(state, viewer=0, theme=HOUSE, names=NAMES) is None
