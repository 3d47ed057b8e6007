"""Commands as text, and events as sentences."""

import re
from collections.abc import Sequence
from typing import Final

from games.kernel import Command, Event, FlagFallen, Illegal, Resign, Resigned
from tests.recipe.sealed_bids.commands import Bid
from tests.recipe.sealed_bids.events import BidsOpened, BidSubmitted, LotDrawn, LotSold, TieBroken
from tests.recipe.sealed_bids.state import State

_BID: Final = re.compile(r"(?:bid +)?([0-9]{1,3})", re.ASCII)


def parse(state: State, seat: int, text: str) -> Command:
    """Return the command that the text means; raise Illegal("malformed")."""
    typed = text.strip().lower()
    if typed == "resign":
        return Resign()
    bid = _BID.fullmatch(typed)
    if bid is None:
        raise Illegal("malformed", "Write `bid 5` or `5` to bid five coins, or `resign`.")
    return Bid(int(bid[1]))


def form(command: Command) -> str:
    """Return the text that `parse` reads as this command."""
    return f"bid {command.coins}" if isinstance(command, Bid) else "resign"


def sentence(event: Event, names: Sequence[str]) -> str:
    """Return the sentence that describes the event to its witness."""
    match event:
        case LotDrawn(lot=lot):
            return f"The lot worth {lot} is up for sale."
        case BidSubmitted(seat=seat, coins=None):
            return f"{names[seat]} seals a hidden bid."
        case BidSubmitted(seat=seat, coins=coins):
            return f"{names[seat]} seals a bid of {coins}."
        case BidsOpened(bids=bids):
            phrases = (f"{name} has bid {bid}" for name, bid in zip(names, bids, strict=True))
            return f"{', '.join(phrases)}."
        case TieBroken(seat=seat):
            return f"The bids are equal, and chance chooses {names[seat]}."
        case LotSold(seat=seat, lot=lot, coins=coins):
            return f"{names[seat]} takes the lot worth {lot} for {coins}."
        case Resigned(seat=seat):
            return f"{names[seat]} resigns."
        case FlagFallen(seat=seat):
            return f"{names[seat]} has run out of time and bids nothing."
    raise TypeError(f"{event!r} is no event of this game.")
