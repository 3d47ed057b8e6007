"""Higher or Lower: assign fifty cards in secret, then call the cards of five boards one by one."""

from pathlib import Path

from games.higher_or_lower import commands, events, rules
from games.higher_or_lower.aids import AIDS, forget
from games.higher_or_lower.bot import bot
from games.higher_or_lower.legal import legal, sample
from games.higher_or_lower.lesson import LESSON
from games.higher_or_lower.motion import MOTION
from games.higher_or_lower.notation import form, parse, sentence
from games.higher_or_lower.options import Options
from games.higher_or_lower.pieces import ALLOWED, BOARDS, COLOURS, NUMBERS, ORDERS
from games.higher_or_lower.state import State, evolve, opening
from games.higher_or_lower.templates import TEMPLATES
from games.higher_or_lower.text_board import text_board
from games.kernel import BoardOf, Change, ClockSpec, Drawn, Game, GuideOf, Notation, Origin, Seats, SetupShare

__all__ = ["GAME"]

GAME = Game(
    slug="higher_or_lower",
    title="Higher or Lower",
    seats=Seats(2, 2),
    Options=Options,
    commands=(
        commands.ChooseColour,
        commands.AssignGroup,
        commands.WithdrawGroup,
        commands.LockIn,
        commands.ChooseBoard,
        commands.Flip,
        commands.Guess,
        commands.Stop,
    ),
    events=(
        events.ColourChosen,
        events.GroupAssigned,
        events.GroupWithdrawn,
        events.LockedIn,
        events.GroupsFilled,
        events.BoardDealt,
        events.BoardChosen,
        events.CardFlipped,
        events.CardGuessed,
        events.TurnEnded,
        events.RoundFinished,
    ),
    State=State,
    opening=opening,
    decide=rules.decide,
    deal=rules.deal,
    expire=rules.expire,
    evolve=evolve,
    due=rules.due,
    legal=legal,
    sample=sample,
    outcome=rules.outcome,
    clocks={
        "choice": ClockSpec(
            86400, 0, 1, "The dealer chooses your colour at random.", setup=True, share=SetupShare(86400, 24)
        ),
        "setup": ClockSpec(82800, 0, 1, "The dealer fills your missing groups, unseen.", setup=True),
        "turn": ClockSpec(base=30, reserve=90, increment=30, at_flag="Your turn ends, or a board is chosen at random."),
    },
    notation=Notation(parse, form, sentence),
    text_board=text_board,
    bot=bot,
    bound=rules.bound,
    folder=Path(__file__).parent,
    draws=(
        Drawn("colour", "choice", "colour_chosen", ("colour",), for_seat=True, items=COLOURS),
        Drawn("fill", "filled", "groups_filled", ("groups",), more={"suits": ALLOWED}),
        *(
            Drawn(
                f"board {board}",
                "laid",
                "board_dealt",
                ("cards",),
                where={"board": board},
                items=tuple(NUMBERS),
                more={"options": "boards", "named": "board", "mark": "g"},
            )
            for board in BOARDS
        ),
        Drawn(
            "board",
            "choice",
            "board_chosen",
            ("board",),
            for_seat=True,
            items=BOARDS,
            changes=(Change("board_chosen", ("board",)),),
        ),
        Drawn("order", "choice", "board_chosen", ("order",), for_seat=True, items=ORDERS),
    ),
    unlisted=frozenset({"assign_group"}),
    motion=MOTION,
    state_version=2,
    unscheduled="Without a time to open at, play begins at once when both have locked in, and the clock then plays for"
    " whoever isn't there.",
    lesson=LESSON,
    aids=AIDS,
    templates=TEMPLATES,
    forget=forget,
    board=BoardOf("games.higher_or_lower.board"),
    guide=GuideOf("games.higher_or_lower.guide"),
    tools="The source says nothing of notes, calculators or programs: what the organiser says counts.",
    origin=Origin(designers="Zero", featured_in="The Genius: Tempo Up"),
)
