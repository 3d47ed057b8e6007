"""The content of the rules page: one round in pictures, what a form asks for, and how a round is evaluated."""

from collections.abc import Callable
from typing import Any, Final

from games.contest.lesson import CONTENT, LESSON
from games.contest.options import EXAMPLE
from games.drawing.elements import box, picture, text
from games.drawing.themes import Theme
from games.kernel import Figure, Guide, Script, Shelf, Thing, to_json

_WIDE, _HIGH = 92, 56
_COVER_MOVES: Final = (
    "submit choice share; submit choice keep; submit choice share; submit choice share; submit choice keep; "
    "submit choice share; submit choice share; submit choice keep; submit choice share; submit choice keep; "
    "submit choice keep"
)


def _sign(words: str) -> Callable[[Theme], str]:
    """Return the drawing of a card with a few letters on it."""

    def draw(theme: Any) -> str:
        card = box(2, 2, _WIDE, _HIGH, fill=theme.cell, line=theme.edge, thick=1.5, radius=8)
        letters = text(2 + _WIDE / 2, 2 + _HIGH / 2, words, size=22, fill=theme.ink, bold=True, width=_WIDE - 8)
        return picture("", _WIDE + 4, _HIGH + 4, [card, letters], theme, ground=None)

    return draw


GUIDE: Final = Guide(
    lead="A contest is a main match that the organiser of a season has written. It has rounds: each asks everybody the"
    " same, in private, and is evaluated when all have submitted. Its own rules say",
    point="what each round asks, what it is worth, and how the contest is won.",
    facts=(("2-30", "players"), ("1-20", "rounds"), ("18", "kinds of evaluation")),
    cover_script=Script(b"guide 1", _COVER_MOVES, {"content": to_json(EXAMPLE)}, seats=5),
    cover=Figure(
        alt="The scoreboard of a contest of five in its third round: points, who has submitted, and a bar for each"
        " choice of the round before.",
        named=(
            ("0", "A player who has submitted"),
            ("1", "A player who is still deciding"),
            ("2", "Points, with a bar below them"),
        ),
    ),
    example_title="One round, in three pictures",
    example_says="Greta plays against Jonas. The lowest number that only one of them names gains 2 points.",
    example_script=Script(LESSON.seed, "", {"content": to_json(CONTENT)}),
    example=(
        Figure(
            title="The round opens.",
            says="Both are asked for a number from 1 to 5.",
            alt="The scoreboard: Greta and Jonas are deciding.",
            points=("0", "1"),
            holds=lambda state: state.stage == "open" and not state.entries,
        ),
        Figure(
            title="Greta submits.",
            says="All see that she has submitted. Nobody sees her number before the round is over.",
            alt="The scoreboard: Greta has submitted, Jonas is deciding.",
            then="submit number 2",
            points=("0",),
            holds=lambda state: state.submitted == {0},
        ),
        Figure(
            title="The round is over.",
            says="Jonas named 4, so Greta’s 2 is the lowest: she gains 2 points.",
            alt="The scoreboard: Greta has 2 points, and both numbers are open.",
            then="submit number 4",
            points=("0", "1"),
            holds=lambda state: state.points == (2, 0),
        ),
    ),
    turn=(
        "A round opens with its form. Read what it asks, what it costs, and until when.",
        "Talk, promise and bluff as you like. Then submit. You may change your mind while the round is open.",
        "When all have submitted or the time is over, the round is evaluated, and what its rules say is published.",
        "If you don’t submit in time, the round’s default counts for you.",
    ),
    shelves=(
        Shelf(
            "What a form can ask for",
            "A form has up to eight of these. What you can’t fill in is left out of yours.",
            (
                Thing("A choice", "One of some options, or several.", _sign("A / B")),
                Thing("A number", "Within bounds. It can be a price that you pay from a balance.", _sign("1 - 9")),
                Thing("A player", "Another player who is in the contest.", _sign("who?")),
                Thing("A split", "A budget, split over options or players.", _sign("5 + 3")),
                Thing("A ranking", "All options in an order.", _sign("1 2 3")),
                Thing("Cards", "Cards of your hand, which are then played.", _sign("7 ♠")),
                Thing("A text", "An answer, or a line for the host.", _sign("abc")),
            ),
        ),
        Shelf(
            "How a round is evaluated",
            "The text of each round says which of these counts, and what it is worth.",
            (
                Thing("Votes", "The majority wins, the most votes, or the smaller side.", _sign("3 : 2")),
                Thing("Numbers", "The highest or lowest that only one names, or the closest.", _sign("7 ?")),
                Thing("Auctions", "The greatest bids win. Winners pay their bid, or the next.", _sign("bid")),
                Thing("Pairs", "What you gain depends on your choice and on your partner’s.", _sign("A x B")),
                Thing("A common pot", "What all pay grows, and is shared equally.", _sign("+ 50 %")),
                Thing("Naming", "Who is named most, or least, wins or leaves.", _sign("you!")),
                Thing("Answers", "Correct answers win, or the first of them.", _sign("= 42")),
                Thing("The host", "The host judges, and gives points.", _sign("host")),
            ),
        ),
    ),
    ends=(
        "The contest ends after its last round, or when somebody has the points that its rules name.",
        "The most points win. The rules say what counts if points are equal; otherwise the place is shared.",
        "Whoever resigns leaves the contest and comes last.",
    ),
)
