"""Contest: a main match whose content an organiser writes: rounds of private choices, evaluated and published."""

from pathlib import Path

from games.contest.bot import bot
from games.contest.causes import causes
from games.contest.commands import Amend, Close, Resolve, Submit, Transfer, Withdraw
from games.contest.events import (
    Amended,
    AnswersPublished,
    BalanceChanged,
    ClosedByHost,
    ContestFinished,
    DeckShuffled,
    Defaulted,
    HandDealt,
    OrderDrawn,
    PlayersLeft,
    PointsChanged,
    Resolved,
    RoleDealt,
    RolesDrawn,
    RoundClosed,
    RoundOpened,
    RoundRevealed,
    RoundSkipped,
    SecretBalanceChanged,
    SecretlyTransferred,
    SecretPointsChanged,
    Submitted,
    SubmittedInTurn,
    TeamsDrawn,
    TieBroken,
    Transferred,
    Withdrawn,
)
from games.contest.legal import examples, legal, sample
from games.contest.lesson import LESSON
from games.contest.motion import MOTION
from games.contest.notation import form, form_with_names, parse
from games.contest.options import Options, faults_of_options, title_in
from games.contest.placing import contexts
from games.contest.reading import faults_of_command
from games.contest.rules import bound, clocks_of, deal, decide, due, expire, is_sealed, outcome, progress, seal_options
from games.contest.state import State, evolve, opening
from games.contest.telling import sentence
from games.contest.templates import TEMPLATES
from games.contest.text_board import text_board
from games.contest.values import PASSAGES
from games.kernel import BoardOf, Drawn, Game, GuideOf, Notation, NotationWithNames, Seats

__all__ = ["GAME"]

GAME = Game(
    slug="contest",
    title="Contest",
    seats=Seats(min=2, max=30),
    Options=Options,
    commands=(Submit, Withdraw, Transfer),
    host_commands=(Resolve, Close, Amend),
    events=(
        RolesDrawn,
        RoleDealt,
        TeamsDrawn,
        DeckShuffled,
        HandDealt,
        OrderDrawn,
        RoundOpened,
        RoundSkipped,
        Submitted,
        SubmittedInTurn,
        Withdrawn,
        Defaulted,
        ClosedByHost,
        RoundClosed,
        AnswersPublished,
        Resolved,
        PointsChanged,
        SecretPointsChanged,
        BalanceChanged,
        SecretBalanceChanged,
        Transferred,
        SecretlyTransferred,
        PlayersLeft,
        RoundRevealed,
        TieBroken,
        ContestFinished,
        Amended,
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
    clocks=clocks_of(Options()),
    clocks_of=clocks_of,
    faults=faults_of_options,
    command_faults=faults_of_command,
    passages=PASSAGES,
    seal=seal_options,
    is_sealed=is_sealed,
    progress=progress,
    notation=Notation(parse=parse, form=form, sentence=sentence),
    text_board=text_board,
    titled=title_in,
    with_names=NotationWithNames(contexts, sentence, parse, form_with_names, text_board, examples),
    bot=bot,
    bound=bound,
    folder=Path(__file__).parent,
    draws=(
        Drawn("roles", "shuffle", "roles_drawn", ("roles",)),
        Drawn("teams", "shuffle", "teams_drawn", ("order",)),
        Drawn("deck", "shuffle", "deck_shuffled", ("cards",)),
        Drawn("order", "shuffle", "order_drawn", ("order",)),
        Drawn("tie", "shuffle", "tie_broken", ("order",)),
    ),
    board=BoardOf("games.contest.board"),
    motion=MOTION,
    guide=GuideOf("games.contest.guide"),
    lesson=LESSON,
    templates=TEMPLATES,
    unlisted=frozenset({"submit", "transfer", "resolve", "amend"}),
    keeps_texts=True,
    causes=causes,
)
