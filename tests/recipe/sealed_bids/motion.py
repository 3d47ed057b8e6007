"""The animations: a lot is revealed, a bid is placed, and both bids are revealed."""

from collections.abc import Mapping
from typing import Final

from games.kernel import Event, Motion, reveal, still
from tests.recipe.sealed_bids.events import BidsOpened, BidSubmitted, LotDrawn, LotSold, TieBroken
from tests.recipe.sealed_bids.pieces import SEATS

MOTION: Final[Mapping[type[Event], Motion]] = {
    LotDrawn: lambda drawn: (reveal("lot"),),
    BidSubmitted: lambda bid: (reveal(f"bid of seat {bid.seat}"),),
    BidsOpened: lambda opened: tuple(reveal(f"bid of seat {seat}") for seat in SEATS),
    TieBroken: still,
    LotSold: still,
}
