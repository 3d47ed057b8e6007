"""The board as text, for a terminal or a screen reader."""

from collections.abc import Iterator

from games.kernel import Witness
from tests.recipe.sealed_bids.pieces import LOTS, SEATS
from tests.recipe.sealed_bids.rules import outcome
from tests.recipe.sealed_bids.state import State, coins_of, points_of


def text_board(state: State, witness: Witness) -> str:
    """Return the lot, the purses and the sales. A bid that the witness may not see is a question mark."""
    return "\n".join((_status(state), "", *_seats(state, witness), "", *_sales(state)))


def _status(state: State) -> str:
    if outcome(state) is not None:
        return "The match is over."
    number = f"{len(state.sales) + 1} of {len(LOTS)}"
    return f"Lot {number} is to be drawn." if state.lot is None else f"Lot {number} is worth {state.lot}."


def _seats(state: State, witness: Witness) -> Iterator[str]:
    for seat in SEATS:
        bid = state.bids[seat]
        sealed = "-" if bid is None else "?" if bid == "hidden" else str(bid)
        who = f"Seat {seat}{' (you)' if seat == witness else ''}"
        yield f"{who:<13}{coins_of(state, seat):>3} coins{points_of(state, seat):>4} points   bid {sealed:>2}"


def _sales(state: State) -> Iterator[str]:
    yield "lot  bids   taken by"
    for sale in state.sales:
        bids = ":".join(f"{bid:>2}" for bid in sale.bids)
        yield f"{sale.lot:>3}  {bids}  seat {sale.seat}"
