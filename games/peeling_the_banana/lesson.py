"""The lesson: a card out of reach, a piece on the banana, coins and the shop."""

from typing import Final

from games.kernel import Lesson, LessonStep

LESSON: Final = Lesson(
    seed=b"lesson 732",
    before="first 0",
    steps=(
        LessonStep(
            "What you are after",
            "This is your banana. Fill its spaces with pieces: at the end each filled space counts 1 point,"
            " and each empty one takes 1 away.",
            points=("part table",),
        ),
        LessonStep(
            "The deck and your reach",
            "The deck lies open, and you both draw from it. Your reach is its first three cards: play one of them.",
            points=("part reach",),
        ),
        LessonStep(
            "What you pass over is gone",
            "Take the third card, and the two above it go to the discard with it. Nim can't have them now,"
            " but nor can you.",
            points=("bite#2", "coins2#1"),
        ),
        LessonStep(
            "Play a piece",
            "The square fills four spaces. Narrow ends are hard to fill later, so begin there.",
            ask="Put the square on J2, at the banana's tip",
            does="play square4#1 @j2",
            points=("square4#1", "j2", "k3"),
        ),
        LessonStep(
            "The shop",
            "After your card you may buy in the shop. You have 1 coin, the income of each turn: too little"
            " for anything.",
            points=("part shop",),
        ),
        LessonStep(
            "End your turn",
            "Save the coin, and let Nim play.",
            ask="End your turn",
            does="end",
            then="play ell4#1 @h4 r90; end",
        ),
        LessonStep(
            "Nim has played",
            "Nim took the next piece. The deck has moved on, so your reach shows new cards; one brings coins.",
            points=("part reach",),
        ),
        LessonStep(
            "Coins are worth a turn",
            "Coins fill no space, but they buy pieces, and advantages that stay. Early they pay best.",
            ask="Play the card that brings 3 coins",
            does="play coins3#2",
            points=("coins3#2",),
        ),
        LessonStep(
            "Reach further",
            "With 5 coins you can buy one more card of reach, for good. More choice fits more pieces.",
            ask="Buy the longer reach for 3 coins",
            does="buy reach",
            points=("reach",),
        ),
        LessonStep(
            "End your turn again",
            "You keep 2 coins. Nothing else is worth them now.",
            ask="End your turn",
            does="end",
            then="1 @d6; end",
        ),
        LessonStep(
            "Four cards to choose from",
            "Your reach has four cards now. The three in a line fit below the square, without a gap.",
            ask="Put three in a line on H4",
            does="play line3#2 @h4",
            points=("line3#2", "h4", "j4"),
        ),
        LessonStep(
            "Overlapping is allowed",
            "A piece may also cover spaces that are filled already, but each counts once. It helps when gaps are left.",
        ),
        LessonStep(
            "Now you know it",
            "The match ends when a banana is full, or after 25 turns each. Fill the ends first, and watch"
            " what you hand to Nim.",
        ),
    ),
)
