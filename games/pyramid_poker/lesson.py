"""The lesson: build the pyramid, take it down, fill three hands."""

from typing import Final

from games.kernel import Lesson, LessonStep

_REST_BUILT: Final = (
    "A8; B4; B5; A7; B7; A2; C3; B2; B6; C4; C6; A1; B1; C1; C5; D5; D4; E4; D3; C2; D2; D1; E3; F3; E2"
)
_REST_TAKEN: Final = (
    "draw D5; 3; draw C6; 2; draw C1; 2; draw E3; 3; draw B1; 1; draw A1; 1; draw D2; 3; draw C2; 1; draw B7; "
    "2; draw B2; 2; draw A8; 2; draw A2; 3; draw D3; 2; draw D4; 2; draw C4; 3; draw C5; 3; draw C3; 1; draw "
    "B5; 3; draw B6; 2; draw A6; 2; draw B3; 1; draw B4; 1; draw A4; 1; draw A3; 1"
)

LESSON: Final = Lesson(
    seed=b"lesson 19",
    before="first me",
    steps=(
        LessonStep(
            "What you are building",
            "Together you build a pyramid of thirty bricks, then take it down again."
            " From what you take you make three poker hands; who wins two of them wins.",
        ),
        LessonStep(
            "Your brick",
            "Each turn you get a brick from the bag, as a card with a value and a suit. Only you see it.",
            points=("held",),
        ),
        LessonStep(
            "The lowest row",
            "The lowest row, A, is free to build on wherever you like.",
            ask="Place the 5 of spades on A3",
            does="place A3",
            points=("A3",),
            then="place A5",
        ),
        LessonStep(
            "Who sees what",
            "Nim has placed a brick on A5. Its bar says whose it is, but its value is hidden, as yours is from Nim.",
            points=("A5",),
        ),
        LessonStep(
            "Side by side",
            "What lies low comes out late, so bricks that belong together lie well side by side.",
            ask="Place the 6 of spades on A4, beside your 5",
            does="place A4",
            points=("A4",),
            then="place A6",
        ),
        LessonStep(
            "A brick rests on two",
            "Above the lowest row there is room only where both bricks below stand. Your 5 and your 6 carry B3.",
            ask="Place the 9 of spades on B3",
            does="place B3",
            points=("B3",),
            then=_REST_BUILT,
        ),
        LessonStep(
            "The pyramid stands",
            "Thirty bricks stand. Now you take them down in turns: any brick on which nothing rests, yours or Nim's.",
            points=("F3", "E4", "E2"),
        ),
        LessonStep(
            "Draw what lies open",
            "A drawn brick is shown to both of you. Draw one whose value you know, or try one of Nim's.",
            ask="Draw the brick on F3",
            does="draw F3",
            points=("F3",),
        ),
        LessonStep(
            "Into a hand",
            "It goes into one of your three hands at once, and stays there. Each hand takes five bricks.",
            ask="Put the 3 of clubs into hand 3",
            does="hand 3",
            points=("hand 3",),
            then="draw E2; hand 3",
        ),
        LessonStep(
            "Drawing opens others",
            "Without F3, nothing rests on E3 and E4 any more. What you open lies open for Nim too.",
            ask="Draw the brick on E4",
            does="draw E4",
            points=("E4",),
        ),
        LessonStep(
            "Collect what belongs together",
            "Two clubs are the start of a flush: five of one suit. Pairs, threes and runs of five count as well.",
            ask="Put the 9 of clubs into hand 3, beside the 3",
            does="hand 3",
            points=("hand 3",),
            then="draw D1; hand 2; " + _REST_TAKEN,
        ),
        LessonStep(
            "The last brick",
            "Hand 3 has become a flush, and hand 1 holds a pair of sixes. Your last brick lies on A5.",
            ask="Draw the brick on A5",
            does="draw A5",
            points=("A5",),
        ),
        LessonStep(
            "The last place",
            "One place is left to you. When the last brick has found its hand, all hands are shown and compared.",
            ask="Put the 7 of diamonds into hand 1",
            does="hand 1",
            points=("hand 1",),
            then="draw A7; hand 1",
        ),
        LessonStep(
            "Hand against hand",
            "Hand 1 meets hand 1, and so on. Your pair and your flush win, Nim's straight wins:"
            " two to one, and the match is yours.",
            points=("part own",),
        ),
    ),
)
