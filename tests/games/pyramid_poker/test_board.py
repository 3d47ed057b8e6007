"""The picture of the pyramid: what it shows to whom, and what can be asked for on it."""

from xml.etree import ElementTree

import pytest

from games.drawing.themes import DARK, LIGHT, Theme
from games.kernel import HOST, SPECTATOR, Chance, Table, Witness
from games.pyramid_poker import GAME
from games.pyramid_poker.board import BOARD
from games.pyramid_poker.pieces import BRICKS, HANDS, SUIT
from games.pyramid_poker.pyramid import pyramid_of
from tests.games.golden_board import check_golden_board
from tests.games.pyramid_poker.built import built, compared, construction, taken_down

NAMES = ("Ada", "Ben")
LEFT = "AS AH 2S 2H 3S 4S 5S 6S 7S 9S AD AC 2D 2C 3D"
RIGHT = "3H 4H 5H 6H 8H 10S 10H 10D 9D 9C 3C 4C 5C 6C 7C"


def drawn(table: Table, viewer: Witness, theme: Theme = LIGHT, targets: tuple[str, ...] = (), last: str = "") -> str:
    view = table.witness(viewer)
    return BOARD.draw(view, viewer=viewer, theme=theme, names=NAMES, targets=targets, last=(last,))


def labels(picture: str) -> dict[str, str]:
    """Return the label of each cell, without the cell's name."""
    parts = [part.attrib for part in ElementTree.fromstring(picture).iter() if "data-cell" in part.attrib]  # noqa: S314
    return {part["data-cell"]: part["aria-label"].split(", ", 1)[1] for part in parts}


def half_built() -> Table:
    return construction("7D A1", "10S A2", "AC A3", "4H A8", "9C B1", "2S A4", "3H A5")


def test_golden_board_of_the_choice() -> None:
    check_golden_board("pyramid_poker", "choice-spectator", drawn(Table(GAME), SPECTATOR))


@pytest.mark.parametrize("viewer", [0, 1, SPECTATOR, HOST], ids=str)
def test_golden_board_of_construction(viewer: Witness) -> None:
    name = f"construction-{viewer if isinstance(viewer, int) else viewer.value}"
    check_golden_board("pyramid_poker", name, drawn(half_built(), viewer, targets=("B2", "A6", "A7"), last="A5"))


def test_golden_board_of_deconstruction_in_the_dark() -> None:
    table = taken_down(LEFT, RIGHT, left_over=11)
    check_golden_board("pyramid_poker", "deconstruction-1-dark", drawn(table, 1, DARK, targets=("B3", "B4")))


def test_golden_board_of_a_brick_in_hand() -> None:
    table = taken_down(LEFT, RIGHT, left_over=4)
    table.act(0, {"type": "draw", "cell": "A4"})
    picture = drawn(table, 0, targets=("hand 3",), last="A4")
    check_golden_board("pyramid_poker", "hand-0", picture)


def test_golden_board_of_the_end() -> None:
    check_golden_board("pyramid_poker", "over-spectator", drawn(compared(LEFT, RIGHT), SPECTATOR))


@pytest.mark.parametrize("base", [8, 10, 12])
def test_every_space_is_a_cell_and_so_are_a_seats_own_hands(base: int) -> None:
    spaces = {space for row in pyramid_of(base).rows for space in row}
    assert set(labels(drawn(Table(GAME, {"base": base}), 0))) == spaces
    hands = {f"hand {number}" for number in range(1, HANDS + 1)}
    table = built()
    spaces = {space for row in pyramid_of(8).rows for space in row}
    assert [set(labels(drawn(table, viewer))) - spaces for viewer in (0, 1)] == [hands, hands]
    assert set(labels(drawn(table, SPECTATOR))) == spaces


def test_brick_is_labelled_by_value_suit_and_owner_for_its_builder() -> None:
    table = construction("10S A1", "7D A2")
    assert {viewer: labels(drawn(table, viewer))["A1"] for viewer in (0, 1, SPECTATOR, HOST)} == {
        0: "10 of spades, placed by Ada",
        1: "hidden brick, placed by Ada",
        SPECTATOR: "hidden brick, placed by Ada",
        HOST: "10 of spades, placed by Ada",
    }
    assert labels(drawn(table, 0))["A3"] == "empty"


def test_a_hidden_brick_is_drawn_as_clay_and_never_as_a_suit() -> None:
    table = construction("10S A1")
    own_picture, hidden = drawn(table, 0), drawn(table, 1)
    assert ">10<" in own_picture and ">10<" not in hidden
    # A gem is pressed into its back, and no suit is drawn.
    assert (own_picture.count("<path"), hidden.count("<path")) == (1, 1)
    assert LIGHT.brick_line in hidden and LIGHT.brick_line not in own_picture


@pytest.mark.parametrize("brick", BRICKS)
def test_every_brick_has_its_value_and_the_path_of_its_suit(brick: str) -> None:
    picture = drawn(construction(f"{brick} A1"), 0)
    suits = {other: drawn(construction(f"{brick[:-1]}{other} A1"), 0) for other in "SHDC"}
    assert f">{brick[:-1]}<" in picture
    assert [other for other, drawing in suits.items() if drawing == picture] == [SUIT[brick]]


def test_brick_in_hand_is_shown_to_its_holder_until_it_is_drawn_openly() -> None:
    table = Table(GAME, chance=Chance(b"1"))
    table.act(0, {"type": "choose_first", "seat": 0})
    held = table.state.held.brick
    tables = [BOARD.tables(table.witness(viewer), viewer=viewer, names=NAMES)[-1].rows for viewer in (0, 1)]
    assert [rows[0][2] == "hidden brick" for rows in tables] == [False, True]
    assert held[:-1] in tables[0][0][2]
    taking = built()
    taking.act(0, {"type": "draw", "cell": "E4"})
    assert "hidden" not in BOARD.tables(taking.witness(SPECTATOR), viewer=SPECTATOR, names=NAMES)[-1].rows[0][2]


def test_the_tables_hold_each_space_and_each_hand_with_its_result() -> None:
    pyramid, hands, seats = BOARD.tables(compared(LEFT, RIGHT).witness(0), viewer=0, names=NAMES)
    assert [row[0] for row in pyramid.rows] == list("HGFEDCBA")
    assert len(pyramid.header) == 9
    assert [row[:2] for row in hands.rows] == [(name, f"hand {number}") for name in NAMES for number in (1, 2, 3)]
    assert all("5 of 5 bricks" in row[2] and row[3] for row in hands.rows)
    assert sum("wins" in row[3] for row in hands.rows) + sum("tied" in row[3] for row in hands.rows) // 2 == 3
    assert sum(row[1] == "wins the match" for row in seats.rows) == 1
