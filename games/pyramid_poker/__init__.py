"""Pyramid Poker: two seats build a pyramid of bricks, then take it down for three poker hands each."""

from pathlib import Path

from games.kernel import BoardOf, Change, ClockSpec, Drawn, Game, GuideOf, Notation, Origin, Seats
from games.pyramid_poker.aids import AIDS, forget
from games.pyramid_poker.bot import bot
from games.pyramid_poker.commands import Assign, ChooseFirst, Draw, Place
from games.pyramid_poker.events import (
    BrickAssigned,
    BrickDealt,
    BrickDrawn,
    BrickPlaced,
    ConstructionFinished,
    FirstChosen,
    HandsCompared,
)
from games.pyramid_poker.legal import legal, sample
from games.pyramid_poker.lesson import LESSON
from games.pyramid_poker.motion import MOTION
from games.pyramid_poker.notation import form, parse, sentence
from games.pyramid_poker.options import Options
from games.pyramid_poker.pieces import BRICKS, BUILT
from games.pyramid_poker.rules import deal, decide, due, expire, outcome
from games.pyramid_poker.state import State, evolve, opening
from games.pyramid_poker.text_board import text_board

__all__ = ["GAME"]

GAME = Game(
    slug="pyramid_poker",
    title="Pyramid Poker",
    seats=Seats(min=2, max=2),
    Options=Options,
    commands=(ChooseFirst, Place, Draw, Assign),
    events=(
        FirstChosen,
        BrickDealt,
        BrickPlaced,
        ConstructionFinished,
        BrickDrawn,
        BrickAssigned,
        HandsCompared,
    ),
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
    clocks={
        "choice": ClockSpec(base=86400, reserve=0, increment=1, at_flag="Chance chooses who starts.", setup=True),
        "turn": ClockSpec(base=60, reserve=300, increment=1, at_flag="You lose the match."),
    },
    notation=Notation(parse=parse, form=form, sentence=sentence),
    text_board=text_board,
    bot=bot,
    # The choice of the first seat; then each built brick is placed, drawn and assigned.
    bound=lambda options, seats: 1 + 3 * BUILT,
    folder=Path(__file__).parent,
    draws=(
        Drawn("first", "choice", "first_chosen", ("seat",), for_seat=True, items=(0, 1)),
        Drawn("brick", "choice", "brick_dealt", ("brick",), items=BRICKS, changes=(Change("brick_dealt", ("brick",)),)),
    ),
    board=BoardOf("games.pyramid_poker.board"),
    guide=GuideOf("games.pyramid_poker.guide"),
    lesson=LESSON,
    aids=AIDS,
    forget=forget,
    motion=MOTION,
    tools="You may take notes that aren't automated: on paper, in a text editor, in a spreadsheet without formulas.",
    origin=Origin(designers="Aaron Weissblum and Norman Woods", featured_in="The Genius: Code Red"),
)
