"""Sealed Bids: two seats bid for seven lots in secret; chance decides equal bids."""

from pathlib import Path

from games.kernel import BoardOf, Change, ClockSpec, Drawn, Game, Notation, Seats
from tests.recipe.sealed_bids.bot import bot
from tests.recipe.sealed_bids.commands import Bid
from tests.recipe.sealed_bids.events import BidsOpened, BidSubmitted, LotDrawn, LotSold, TieBroken
from tests.recipe.sealed_bids.legal import legal, sample
from tests.recipe.sealed_bids.motion import MOTION
from tests.recipe.sealed_bids.notation import form, parse, sentence
from tests.recipe.sealed_bids.options import Options
from tests.recipe.sealed_bids.pieces import LOTS, SEATS
from tests.recipe.sealed_bids.rules import deal, decide, due, expire, outcome
from tests.recipe.sealed_bids.state import State, evolve, opening
from tests.recipe.sealed_bids.text_board import text_board

__all__ = ["GAME"]

GAME = Game(
    slug="sealed_bids",
    title="Sealed Bids",
    seats=Seats(min=len(SEATS), max=len(SEATS)),
    Options=Options,
    commands=(Bid,),
    events=(LotDrawn, BidSubmitted, BidsOpened, TieBroken, LotSold),
    State=State,
    opening=opening,
    decide=decide,
    deal=deal,
    expire=expire,
    evolve=evolve,
    due=due,
    legal=legal,
    sample=sample,
    outcome=outcome,
    clocks={"bid": ClockSpec(base=60, reserve=120, increment=1, at_flag="You bid nothing for this lot.")},
    notation=Notation(parse=parse, form=form, sentence=sentence),
    text_board=text_board,
    board=BoardOf(f"{__name__}.board"),
    motion=MOTION,
    bot=bot,
    bound=lambda options, seats: seats * len(LOTS),
    folder=Path(__file__).parent,
    draws=(
        Drawn("lot", "choice", "lot_drawn", ("lot",), items=LOTS, changes=(Change("lot_drawn", ("lot",)),)),
        Drawn("tie", "choice", "tie_broken", ("seat",), items=SEATS),
    ),
)
