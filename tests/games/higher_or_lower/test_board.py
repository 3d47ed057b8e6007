"""The picture of the boards, in each phase, and what it keeps from whom."""

from collections.abc import Sequence
from xml.etree import ElementTree

import pytest

from games.drawing.themes import DARK, LIGHT, Theme
from games.higher_or_lower.board import BOARD
from games.higher_or_lower.layout import layout_of
from games.higher_or_lower.pieces import BOARDS, NUMBER_OF, spoken
from games.kernel import HOST, SPECTATOR, Table, Witness
from tests.games.golden_board import check_golden_board
from tests.games.higher_or_lower.staged import (
    UNEVEN_BOARDS,
    after,
    assign,
    assigning,
    dealt,
    fresh,
    on_board,
    opened,
    say,
)

NAMES = ("Ada", "Ben")
SPACES = {f"{column}{row}" for column in "abcde" for row in range(1, 6)}


def drawn(
    table: Table, viewer: Witness, theme: Theme = LIGHT, targets: Sequence[str] = (), last: Sequence[str] = ()
) -> str:
    view = table.witness(viewer)
    return BOARD.draw(view, viewer=viewer, theme=theme, names=NAMES, targets=targets, last=last)


def labels(picture: str) -> dict[str, str]:
    """Return the label of each cell, without the cell's name."""
    parts = [part.attrib for part in ElementTree.fromstring(picture).iter() if "data-cell" in part.attrib]  # noqa: S314
    return {part["data-cell"]: part["aria-label"].split(", ", 1)[1] for part in parts}


def laying() -> Table:
    """Both seats have assigned some groups."""
    table = assigning()
    assign(table, 0, "A", "circle", ("A1", "A2", "A3", "A4"))
    assign(table, 0, "C", "square", ("C1", "C5", "C7", "C9"))
    assign(table, 1, "B", "circle", ("B8", "B9", "B10"))
    return table


def calling() -> Table:
    """Seat 0 has turned a grey card and called one right."""
    table = after(*opened("c1"))
    say(table, 0, "flip a2")
    return table


def test_golden_board_before_the_colours() -> None:
    check_golden_board("higher_or_lower", "colour-spectator", drawn(fresh(), SPECTATOR))


@pytest.mark.parametrize("viewer", [0, SPECTATOR, HOST], ids=str)
def test_golden_board_of_the_assignment(viewer: Witness) -> None:
    name = f"assigning-{viewer if isinstance(viewer, int) else viewer.value}"
    targets = ("A square", "D9") if viewer == 0 else ()
    check_golden_board("higher_or_lower", name, drawn(laying(), viewer, targets=targets))


def test_golden_board_of_the_choice_of_a_board() -> None:
    check_golden_board("higher_or_lower", "choice-0", drawn(dealt(), 0, targets=BOARDS))


@pytest.mark.parametrize("viewer", [0, SPECTATOR, HOST], ids=str)
def test_golden_board_of_a_round(viewer: Witness) -> None:
    name = f"round-{viewer if isinstance(viewer, int) else viewer.value}"
    targets = ("a1", "b2", "a3") if viewer == 0 else ()
    check_golden_board("higher_or_lower", name, drawn(calling(), viewer, targets=targets, last=("a2",)))


def test_golden_board_of_a_round_in_the_dark() -> None:
    check_golden_board("higher_or_lower", "round-1-dark", drawn(calling(), 1, DARK))


def test_while_groups_are_assigned_a_seats_cards_and_groups_are_cells() -> None:
    table = laying()
    cyan = {" ".join(place) for place in layout_of(table.options.boards).groups["cyan"]}
    pink = {" ".join(place) for place in layout_of(table.options.boards).groups["pink"]}
    assert set(labels(drawn(table, 0))) == {*NUMBER_OF, *cyan, *BOARDS}
    assert set(labels(drawn(table, 1))) == {*NUMBER_OF, *pink, *BOARDS}
    assert set(labels(drawn(table, SPECTATOR))) == set(labels(drawn(table, HOST))) == set(BOARDS)


@pytest.mark.parametrize("board", BOARDS)
def test_in_a_round_every_space_of_its_board_is_a_cell(board: str) -> None:
    for viewer in (0, 1, SPECTATOR, HOST):
        cells = set(labels(drawn(on_board(board), viewer)))
        assert cells >= SPACES | set(BOARDS)
        assert all(name in SPACES or name in BOARDS or name.startswith(f"{board} ") for name in cells)


def test_nobody_but_its_seat_and_the_host_is_shown_an_assignment() -> None:
    table = laying()
    visible_to = {viewer: "Clementine 1, 5, 7 and 9" in drawn(table, viewer) for viewer in (SPECTATOR, HOST)}
    assert visible_to == {SPECTATOR: False, HOST: True}
    assert labels(drawn(table, 0))["A circle"] == "Apple 1, 2, 3 and 4"
    assert labels(drawn(table, 0))["A1"] == "Apple 1, given to a group"
    assert labels(drawn(table, 0))["B8"] == "Blueberry 8, in hand"
    assert labels(drawn(table, 0))["A square"] == "3 cards to assign"
    tables = BOARD.tables(table.witness(SPECTATOR), viewer=SPECTATOR, names=NAMES)
    assert not any("Apple 1" in cell for it in tables for row in it.rows for cell in row)


def test_groups_filled_by_the_dealer_are_hidden_from_their_seat() -> None:
    table = dealt()
    group = next(iter(layout_of(table.options.boards).groups["cyan"]))
    assert labels(drawn(table, 0))[" ".join(group)].endswith("not told")
    assert "not told" not in drawn(table, HOST)


def test_a_card_face_down_shows_its_space_and_only_the_host_its_number() -> None:
    table = calling()
    here = {viewer: labels(drawn(table, viewer))["b1"] for viewer in (0, 1, SPECTATOR, HOST)}
    assert {here[0], here[1], here[SPECTATOR]} == {"cyan triangle, face down"}
    assert here[HOST].startswith("cyan triangle, face down: ")


def test_open_cards_tell_number_fruit_and_which_was_turned_last() -> None:
    cells = labels(drawn(calling(), SPECTATOR))
    assert cells["a2"].endswith("grey square, the card last turned")
    assert [name for name, label in cells.items() if "last turned" in label] == ["a2"]
    assert "face down" not in cells["c1"]


def test_open_cards_are_struck_out_of_the_groups_they_came_from() -> None:
    table = assigning()
    for seat in (0, 1):
        groups = layout_of(table.options.boards).groups[table.state.colours[seat]]
        unassigned = {board: [f"{board}{number}" for number in range(1, 11)] for board in BOARDS}
        for (board, shape), spaces in groups.items():
            assign(table, seat, board, shape, [unassigned[board].pop() for _ in spaces])
        table.act(seat, {"type": "lock_in"})
    table.settle()
    say(table, 0, "board A first", "flip a2", "S H")
    turned, owner = table.state.cards_open["A"][10], table.state.colours.index("cyan")
    labels_of_owner = [label for name, label in labels(drawn(table, owner)).items() if name.startswith("A ")]
    assert [f"open: {spoken(turned)}" in label for label in labels_of_owner].count(True) == 1


def test_boards_with_large_groups_fit_as_well() -> None:
    table = fresh(options={"boards": UNEVEN_BOARDS})
    table.act(0, {"type": "choose_colour", "colour": "pink"})
    groups = {" ".join(place) for place in layout_of(table.options.boards).groups["pink"]}
    assert groups <= set(labels(drawn(table, 0)))


def test_the_tables_hold_the_round_the_boards_and_ones_own_groups() -> None:
    table = calling()
    captions = [it.caption for it in BOARD.tables(table.witness(0), viewer=0, names=NAMES)]
    assert captions[0].startswith("Round on board A, 1 of 8")
    assert captions[1:] == ["Board A, row 1 in the north", "The boards", "The groups of Ada"]
    choosing = [it.caption for it in BOARD.tables(dealt().witness(1), viewer=1, names=NAMES)]
    assert [it for it in choosing if it.startswith("Board ")] == [f"Board {it}, row 1 in the north" for it in BOARDS]
