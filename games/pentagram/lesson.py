"""The lesson: a card that pays at once, one that waits, a row that closes."""

from typing import Final

from games.kernel import Lesson, LessonStep

LESSON: Final = Lesson(
    seed=b"lesson 0",
    steps=(
        LessonStep(
            "What you are after",
            "You hold coins of five colours, one of each. Whoever holds the most coins, all colours"
            " together, wins at the end.",
        ),
        LessonStep(
            "The card of your turn",
            "Each turn brings a card that all can see. Yours says: orange feeds yellow."
            " When it pays, your orange coins are added to your yellow ones.",
        ),
        LessonStep(
            "Only workers are paid",
            "A card pays those who have a worker on it. You have three; a worker costs as many coins as its space says,"
            " and on a 0 it is free.",
            points=("O0",),
        ),
        LessonStep(
            "A card that pays at once",
            "A card pays when every space to its right is taken. To the right of a 0 there is none, so it"
            " pays at once.",
            ask="Place the card on O0, with a worker",
            does="O0 w",
            points=("O0",),
            then="B4",
        ),
        LessonStep(
            "You were paid",
            "You have 2 yellow coins now. The card is gone, and your worker has come home.",
        ),
        LessonStep(
            "Cards that drain",
            "Nim drew a card that drains blue by orange, and put it without a worker where it waits long."
            " A drain never takes your last coin.",
            points=("B4",),
        ),
        LessonStep(
            "A card that waits",
            "Yellow feeds purple. On Y1 it waits until Y0 is taken. The worker costs you 1 yellow coin,"
            " and one must be left.",
            ask="Place the card on Y1, with a worker",
            does="Y1 w",
            points=("Y1",),
            then="K3",
        ),
        LessonStep(
            "Waiting together",
            "Your worker stands on Y1. Nim could put one there as well: whoever stands on a card is paid.",
            points=("Y1",),
        ),
        LessonStep(
            "Close the row",
            "Black feeds yellow. On Y0 it closes the row: first Y1 pays, then its worker moves on to Y0,"
            " which pays next.",
            ask="Place the card on Y0, with a worker",
            does="Y0 w",
            points=("Y0",),
        ),
        LessonStep(
            "Paid twice",
            "Your yellow coin has fed purple, then black has fed yellow. You hold 7 coins, and all your"
            " workers are home.",
        ),
        LessonStep(
            "Payouts grow",
            "The more coins of a colour you have, the more it feeds. Build up one colour, then let it feed the others:"
            " coins double in a few turns.",
        ),
        LessonStep(
            "Now you know it",
            "Place where your workers are paid soon, and close no row in which only Nim has a worker."
            " Sixty cards, and the match is over.",
        ),
    ),
)
