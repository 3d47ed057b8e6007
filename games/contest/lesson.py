"""The lesson: a short contest of two players: a number, a bid, and a question of trust."""

from typing import Final

from games.contest.content import Balance, Content, Round
from games.contest.evaluations import FirstPrice, Matrix, Payoff, UniqueLowest
from games.contest.fields import Choice, Number
from games.kernel import Lesson, LessonStep, to_json

CONTENT: Final = Content(
    title="Three Small Rounds",
    rules="A number, a bid, and a question of trust.",
    balances=(Balance(name="gold", title="gold", start=10, pays=True),),
    rounds=(
        Round(
            name="number",
            title="The lowest number",
            text="The lowest number that only one player names gains 2 points.",
            fields=(Number(name="number", title="Number", least=1, most=5),),
            scheme=UniqueLowest(field="number", points=2),
        ),
        Round(
            name="auction",
            title="The auction",
            text="The greatest bid gains 3 points and is paid.",
            fields=(Number(name="bid", title="Bid", most=10, balance="gold"),),
            scheme=FirstPrice(field="bid", prizes=(3,)),
        ),
        Round(
            name="trust",
            title="Trust",
            text="Both share: 2 points each. One keeps alone: 3 points, and none for the other.",
            fields=(Choice(name="trust", title="Trust", options=("share", "keep")),),
            scheme=Matrix(
                field="trust",
                payoffs=(
                    Payoff(own="share", other="share", points=2),
                    Payoff(own="share", other="keep", points=0),
                    Payoff(own="keep", other="share", points=3),
                    Payoff(own="keep", other="keep", points=1),
                ),
            ),
        ),
    ),
)

LESSON: Final = Lesson(
    seed=b"lesson 1",
    options={"content": to_json(CONTENT)},
    steps=(
        LessonStep(
            "Rounds that somebody has written",
            "A contest is written by the organiser of a season. It has rounds, and each round asks you something.",
        ),
        LessonStep(
            "The scoreboard",
            "Everybody has a row, with points and with what else the contest counts. Here it is gold.",
            points=("0", "1"),
        ),
        LessonStep(
            "Your form",
            "The first round asks for a number from 1 to 5. The lowest one that only one player names wins.",
            ask="Submit the number 2",
            does="submit number 2",
        ),
        LessonStep(
            "Sealed",
            "Nobody sees your number before the round is over, not even the host. All see that you have submitted.",
            points=("0",),
            then="submit number 4",
        ),
        LessonStep(
            "The round is over",
            "Both numbers are open now. Yours is the lowest that only one player named: 2 points.",
            points=("0",),
        ),
        LessonStep(
            "A price",
            "This round is an auction. You pay your bid in gold, if it is the greatest.",
            ask="Bid 6 of your gold",
            does="submit bid 6",
        ),
        LessonStep(
            "Another thought",
            "While the round is open, you may submit again. Only your last submission counts.",
            ask="Bid 5 in place of 6",
            does="submit bid 5",
            then="submit bid 4",
        ),
        LessonStep(
            "Paid",
            "Nim has bid 4, so you have won 3 points and paid 5 gold. Nim keeps all of its gold.",
            points=("0", "1"),
        ),
        LessonStep(
            "Trust",
            "The last round pays by what both of you choose. Sharing pays 2 points each, if Nim shares too.",
            ask="Choose to share",
            does="submit trust share",
            then="submit trust keep",
        ),
        LessonStep(
            "The end",
            "Nim kept, and gained 3 points from it. You have 5 all the same, and have won the contest.",
            points=("0",),
        ),
    ),
)
