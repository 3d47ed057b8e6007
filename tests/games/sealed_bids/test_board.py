"""The picture of the auction: what it shows to whom, and what can be asked for on it."""

import pytest

from games.drawing.themes import DARK, LIGHT, Theme
from games.kernel import HOST, SPECTATOR, Table, Witness
from tests.games.golden_board import check_golden_board
from tests.games.sealed_bids.staged import after, all_sold, sold
from tests.recipe.sealed_bids.board import BOARD
from tests.recipe.sealed_bids.events import BidSubmitted, LotDrawn
from tests.recipe.sealed_bids.pieces import LOTS

NAMES = ("Ada", "Ben")


def bidding() -> Table:
    """The third lot is for sale; seat 0 has bid."""
    return after(*sold(4, (6, 3)), *sold(2, (1, 1), seat=1), LotDrawn(6), BidSubmitted(0, 9))


def drawn(table: Table, viewer: Witness, theme: Theme = LIGHT, **marks: tuple[str, ...]) -> str:
    return BOARD.draw(table.witness(viewer), viewer=viewer, theme=theme, names=NAMES, **marks)


def test_golden_board_of_the_opening_in_the_dark() -> None:
    check_golden_board("sealed_bids", "opening-1-dark", drawn(after(), 1, DARK))


@pytest.mark.parametrize("viewer", [0, SPECTATOR], ids=str)
def test_golden_board_of_a_bid(viewer: Witness) -> None:
    name = f"bidding-{viewer if isinstance(viewer, int) else viewer.value}"
    check_golden_board("sealed_bids", name, drawn(bidding(), viewer, targets=("0", "1", "14"), last=("9",)))


def test_golden_board_of_the_end() -> None:
    over = all_sold(*((lot, (1, 0) if lot % 2 else (0, 2)) for lot in LOTS))
    check_golden_board("sealed_bids", "over-spectator", drawn(over, SPECTATOR))


def test_a_sealed_bid_is_a_card_face_down_to_all_but_its_seat_and_the_host() -> None:
    tables = {
        viewer: BOARD.tables(bidding().witness(viewer), viewer=viewer, names=NAMES)[0].rows[0][-1]
        for viewer in (0, 1, SPECTATOR, HOST)
    }
    assert tables == {0: "9", 1: "sealed", SPECTATOR: "sealed", HOST: "9"}
    assert "your sealed bid" in drawn(bidding(), 0) and "your sealed bid" not in drawn(bidding(), 1)


def test_only_a_seat_sees_bids_to_choose_from_and_one_for_each_coin() -> None:
    assert [drawn(bidding(), viewer).count("data-cell") for viewer in (0, 1, SPECTATOR, HOST)] == [21, 21, 0, 0]
