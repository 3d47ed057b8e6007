"""Reality Benders: two seats bend the rules of a graph and duel with nine spells on it."""

from pathlib import Path

from games.kernel import BoardOf, ClockSpec, Game, Grant, GuideOf, Notation, Origin, Seats
from games.reality_benders import events
from games.reality_benders.aids import AIDS, forget
from games.reality_benders.bot import bot
from games.reality_benders.bound import bound
from games.reality_benders.commands import Bend, Cast, Offer, Pick
from games.reality_benders.legal import legal, sample
from games.reality_benders.lesson import LESSON
from games.reality_benders.motion import MOTION
from games.reality_benders.notation import form, parse
from games.reality_benders.options import Options
from games.reality_benders.rules import deal, decide, due, expire, outcome
from games.reality_benders.sentences import sentence
from games.reality_benders.state import State, evolve, opening
from games.reality_benders.templates import TEMPLATES
from games.reality_benders.text_board import text_board

__all__ = ["GAME"]

GAME = Game(
    slug="reality_benders",
    title="Reality Benders",
    seats=Seats(2, 2),
    Options=Options,
    commands=(Bend, Cast, Offer, Pick),
    events=(
        events.BendingSubmitted,
        events.RulesBent,
        events.SpellSubmitted,
        events.SpellsRevealed,
        events.AbilityResolved,
        events.DuelResolved,
        events.SpellsOffered,
        events.OffersRevealed,
        events.SpellPicked,
        events.BoutFinished,
        events.BoutStarted,
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
        "turn": ClockSpec(
            base=60,
            reserve=300,
            increment=60,
            at_flag="You lose the match.",
            grants=(Grant(event="bout_started", field="bout", values=(2, 3), seconds=300),),
        )
    },
    notation=Notation(parse=parse, form=form, sentence=sentence),
    text_board=text_board,
    lesson=LESSON,
    aids=AIDS,
    templates=TEMPLATES,
    forget=forget,
    board=BoardOf("games.reality_benders.board"),
    guide=GuideOf("games.reality_benders.guide"),
    bot=bot,
    bound=bound,
    folder=Path(__file__).parent,
    motion=MOTION,
    state_version=4,
    unlisted=frozenset({"bend"}),
    tools="You may take notes. Calculators, programs, spreadsheet formulas and other external tools are prohibited.",
    origin=Origin(designers="e_is_cool", featured_in="Genius Game 4"),
)
