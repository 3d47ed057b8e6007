"""The picture of the table: cards, workers and coins, whatever their number, and spaces that can be asked for."""

from collections.abc import Sequence
from xml.etree import ElementTree

import pytest

from games.drawing.themes import DARK, LIGHT, Theme
from games.kernel import SPECTATOR, Table, Witness
from games.pentagram import GAME
from games.pentagram.board import BOARD
from games.pentagram.pieces import DECK, LETTERS
from games.pentagram.tableau import space_words
from tests.games.golden_board import check_golden_board
from tests.games.pentagram.stacked import play, table_with

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve")
SPACES = {f"{letter}{space}" for letter in LETTERS.values() for space in range(5)}


def drawn(
    table: Table, viewer: Witness, theme: Theme = LIGHT, targets: Sequence[str] = (), last: Sequence[str] = ()
) -> str:
    view, names = table.witness(viewer), NAMES[: table.seats]
    return BOARD.draw(view, viewer=viewer, theme=theme, names=names, targets=targets, last=last)


def cells(picture: str) -> dict[str, ElementTree.Element]:
    parts = ElementTree.fromstring(picture).iter()  # noqa: S314
    return {part.attrib["data-cell"]: part for part in parts if "data-cell" in part.attrib}


def words(picture: str) -> list[str]:
    """All text in the picture."""
    return [text for text in ElementTree.fromstring(picture).itertext() if text.strip()]  # noqa: S314


def crowded() -> Table:
    """Five seats with workers about, two of them on one space, and a row that waits for its last gap."""
    table = table_with(
        "orange>blue+", "blue>black-", "yellow>purple+", "black>orange-", "purple>yellow+", "orange>black+",
        seats=5, start_coins=6,
    )  # fmt: skip
    play(table, "O4 w", "O2 w", "O1 w", "P3", "B1 w", "Y1")
    return table


def test_golden_board_of_the_shuffle() -> None:
    check_golden_board("pentagram", "shuffle-spectator", drawn(Table(GAME), SPECTATOR))


@pytest.mark.parametrize("viewer", [0, SPECTATOR], ids=str)
def test_golden_board_of_the_first_turn_with_every_space_open(viewer: Witness) -> None:
    targets = sorted(SPACES) if viewer == 0 else ()
    name = f"first-{viewer if isinstance(viewer, int) else viewer.value}"
    check_golden_board("pentagram", name, drawn(table_with("orange>blue+"), viewer, targets=targets))


def test_golden_board_of_five_seats_with_workers() -> None:
    check_golden_board("pentagram", "crowded-1", drawn(crowded(), 1, targets=["O0", "K4"], last=["Y1"]))


def test_golden_board_of_column_zero_dealt_in_the_dark() -> None:
    table = table_with(
        "orange>blue+", "yellow>purple-", "black>orange+", "purple>yellow-", "blue>black+", "orange>purple+",
        seats=3, zero_column="dealt", start_coins=2**60,
    )  # fmt: skip
    check_golden_board("pentagram", "dealt-0-dark", drawn(table, 0, DARK))


def test_golden_board_of_the_end() -> None:
    table = table_with("orange>blue+", seats=3)
    table.act(2, {"type": "resign"})
    table.act(1, {"type": "resign"})
    check_golden_board("pentagram", "over-spectator", drawn(table, SPECTATOR))


@pytest.mark.parametrize("seats", [2, 5])
def test_every_space_is_a_cell(seats: int) -> None:
    assert set(cells(drawn(table_with(seats=seats), 0))) == SPACES


@pytest.mark.parametrize("card", sorted(set(DECK)))
def test_card_is_labelled_by_word_sign_and_line(card: str) -> None:
    table = table_with(card)
    play(table, "O4")
    cell = cells(drawn(table, SPECTATOR))["O4"]
    source, target = card[:-1].split(">")
    does = "feeds" if card.endswith("+") else "drains"
    dashed = any("stroke-dasharray" in part.attrib for part in cell.iter())
    assert cell.attrib["aria-label"] == f"O4, {source} {does} {target}"
    assert list(cell.itertext()) == [LETTERS[source], LETTERS[target], does]  # type: ignore[index]
    assert dashed == card.endswith("-")


def test_workers_are_labelled_by_seat_and_number() -> None:
    labels = {name: cell.attrib["aria-label"] for name, cell in cells(drawn(crowded(), SPECTATOR)).items()}
    assert labels["O4"] == "O4, orange feeds blue; workers: 1 of Ada's"
    assert labels["B1"] == "B1, purple feeds yellow; workers: 1 of Eve's"
    assert labels["P3"] == "P3, black drains orange"
    assert labels["K0"] == "K0, empty"


def test_a_row_says_what_its_last_gap_would_pay() -> None:
    gap = cells(drawn(crowded(), 0))["O0"]
    assert gap.attrib["aria-label"] == "O0, empty; a card here pays 3 spaces"
    assert "pays 3" in gap.itertext()
    assert not any("pays" in text for text in words(drawn(table_with("orange>blue+"), 0)))


def test_a_space_whose_worker_the_seat_in_turn_cannot_pay_says_so_to_it_alone() -> None:
    table = table_with("orange>blue+", start_coins=3)
    for viewer, warned in ((0, {"4", "3"}), (1, set()), (SPECTATOR, set())):
        board_cells = cells(drawn(table, viewer))
        assert {name[1] for name, cell in board_cells.items() if "card only" in cell.itertext()} == warned


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_the_parts_are_the_rows_the_card_that_can_be_dragged_and_what_every_seat_has(seats: int) -> None:
    table = table_with("orange>blue+", seats=seats, start_coins=4)
    viewing = {"viewer": 0, "theme": LIGHT, "names": NAMES[:seats]}
    parts = {part.name: part.drawn for part in BOARD.parts(table.witness(0), **viewing)}  # type: ignore[arg-type]
    assert list(parts) == ["table", "card", "coins"]
    assert set(cells(parts["table"])) == SPACES
    assert cells(parts["card"])["card"].attrib["aria-label"] == "card, orange feeds blue"
    assert words(parts["coins"]).count("4") == 5 * seats
    assert words(parts["coins"]).count("20") == seats


@pytest.mark.parametrize(("coins", "label"), [(7, "7"), (12345, "12345"), (12345678, "12.3M"), (10**30, "1e30")])
def test_any_number_of_coins_fits_its_place(coins: int, label: str) -> None:
    assert words(drawn(table_with("orange>blue+", start_coins=coins), 0)).count(label) >= 10


def test_the_tables_hold_every_space_and_all_that_the_seats_have() -> None:
    table = crowded()
    tableau, areas = BOARD.tables(table.witness(0), viewer=0, names=NAMES)
    assert [row[0] for row in tableau.rows] == list(LETTERS)
    assert tableau.rows[0][1] == "orange feeds blue; workers: 1 of Ada's"
    assert [int(number) for number in areas.rows[0][1:6]] == list(table.state.coins[0])
    assert [row[0] for row in areas.rows] == list(NAMES)
    assert areas.rows[1][-1].startswith("places ")


def test_waiting_column_promises_a_payout_on_space_0_only_where_the_row_is_filled() -> None:
    table = table_with(zero_column="waits")
    play(table, "P1", "P2", "P3")
    assert space_words(table.state, 3, 0, NAMES) == "empty"
    play(table, "P4")
    assert space_words(table.state, 3, 0, NAMES) == "empty; a card here pays 5 spaces"
    play(table, "O2", "O0")
    assert space_words(table.state, 0, 1, NAMES) == "empty; a card here pays 3 spaces"
