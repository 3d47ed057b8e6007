"""Pentagram 2: cards feed one colour from another, and workers walk the rows to be paid."""

from pathlib import Path

from games.kernel import BoardOf, Change, ClockSpec, Drawn, Game, GuideOf, Notation, Origin, Seats
from games.pentagram.aids import AIDS
from games.pentagram.bot import bot
from games.pentagram.commands import Place
from games.pentagram.events import (
    CardDrawn,
    CardPlaced,
    DeckShuffled,
    SpacePaid,
    WorkerPlaced,
    WorkersReturned,
    ZeroDealt,
)
from games.pentagram.legal import legal, sample
from games.pentagram.lesson import LESSON
from games.pentagram.motion import MOTION
from games.pentagram.notation import form, parse, sentence
from games.pentagram.options import Options
from games.pentagram.pieces import COLOURS, DECK, SPACES
from games.pentagram.rules import deal, decide, due, expire, outcome
from games.pentagram.state import State, evolve, opening
from games.pentagram.text_board import text_board

__all__ = ["GAME"]


def _bound(options: Options, seats: int) -> int:
    """Return the number of placements: one per card not dealt on column 0, or fewer if the rounds end the match."""
    cards = len(DECK) - (len(COLOURS) if options.zero_column == "dealt" else 0)
    return min(cards, options.rounds * seats) if options.end == "rounds" else cards


GAME = Game(
    slug="pentagram",
    title="Pentagram 2",
    seats=Seats(min=2, max=5),
    Options=Options,
    commands=(Place,),
    events=(DeckShuffled, ZeroDealt, CardDrawn, CardPlaced, WorkerPlaced, SpacePaid, WorkersReturned),
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
        "turn": ClockSpec(
            base=86400,
            reserve=0,
            increment=1,
            at_flag="The dealer puts your card on a random space, without a worker.",
        )
    },
    notation=Notation(parse=parse, form=form, sentence=sentence),
    text_board=text_board,
    bot=bot,
    bound=_bound,
    state_version=2,
    folder=Path(__file__).parent,
    draws=(
        Drawn("deck", "shuffle", "deck_shuffled", ("order",), items=DECK),
        Drawn(
            "placement",
            "choice",
            "card_placed",
            ("colour", "space"),
            for_seat=True,
            items=tuple((colour, space) for colour in COLOURS for space in SPACES),
            changes=(
                Change("zero_dealt", items=tuple((colour, 0) for colour in COLOURS)),
                Change("card_placed", ("colour", "space")),
                Change("space_paid", ("colour", "space"), takes=False),
            ),
        ),
    ),
    lesson=LESSON,
    aids=AIDS,
    board=BoardOf("games.pentagram.board"),
    guide=GuideOf("games.pentagram.guide"),
    motion=MOTION,
    tools="The source says nothing of notes, calculators or programs: what the organiser says counts.",
    origin=Origin(designers="Clive", featured_in="ToothyWiki"),
)
