"""Peeling the Banana: two seats cover a banana with pieces from a shared open deck."""

from pathlib import Path

from games.kernel import BoardOf, ClockSpec, Drawn, Game, GuideOf, Notation, Origin, Seats
from games.peeling_the_banana import events
from games.peeling_the_banana.aids import AIDS
from games.peeling_the_banana.bot import bot
from games.peeling_the_banana.commands import Buy, ChooseFirst, EndTurn, PlayCard
from games.peeling_the_banana.legal import legal, sample
from games.peeling_the_banana.lesson import LESSON
from games.peeling_the_banana.motion import MOTION
from games.peeling_the_banana.notation import form, parse, sentence
from games.peeling_the_banana.options import Options
from games.peeling_the_banana.rules import bound, deal, decide, due, expire, outcome
from games.peeling_the_banana.state import State, evolve, opening
from games.peeling_the_banana.templates import TEMPLATES
from games.peeling_the_banana.text_board import text_board

__all__ = ["GAME"]

GAME = Game(
    slug="peeling_the_banana",
    title="Peeling the Banana",
    seats=Seats(2, 2),
    Options=Options,
    commands=(ChooseFirst, PlayCard, Buy, EndTurn),
    events=(
        events.DeckShuffled,
        events.FirstChosen,
        events.TurnStarted,
        events.CardPlayed,
        events.PiecePlaced,
        events.CoinsGained,
        events.AvailabilityChanged,
        events.CardRemoved,
        events.CardRegrown,
        events.DeckReshuffled,
        events.Bought,
        events.TurnFinished,
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
        "choice": ClockSpec(base=86400, reserve=0, increment=1, at_flag="The dealer chooses who starts.", setup=True),
        "turn": ClockSpec(base=75, reserve=300, increment=10, at_flag="You lose the match."),
    },
    notation=Notation(parse=parse, form=form, sentence=sentence),
    text_board=text_board,
    board=BoardOf("games.peeling_the_banana.board"),
    guide=GuideOf("games.peeling_the_banana.guide"),
    bot=bot,
    lesson=LESSON,
    aids=AIDS,
    templates=TEMPLATES,
    motion=MOTION,
    bound=bound,
    folder=Path(__file__).parent,
    state_version=3,
    draws=(
        Drawn("deck", "shuffle", "deck_shuffled", ("order",), numbered=True),
        Drawn("first", "choice", "first_chosen", ("seat",), for_seat=True, items=(0, 1)),
        # The rest of the deck stays on top of the shuffled discard, so only the end of the order is drawn.
        Drawn("reshuffle", "shuffle", "deck_reshuffled", ("order",), more={"last": {"reshuffle": "short"}}),
    ),
    tools="The source says nothing of notes, calculators or programs: what the organiser says counts.",
    origin=Origin(designers="XNimus", featured_in="The Genius: Cosmic Banquet"),
)
