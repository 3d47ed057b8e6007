"""The lesson: a group, a board, and calls that the learner's own group makes safe."""

from typing import Final

from games.kernel import Lesson, LessonStep

_OWN: Final = (
    "assign A triangle B3 B4 B9; assign A circle B1 B2 B6 B10; assign B triangle A1 A3 A5 A10; assign B circle "
    "A2 A7 A9; assign B square C3 C5 C10; assign C triangle B5 B7 B8; assign C circle D3 D6 D9; assign C square "
    "C1 C2 C7 C9; assign D triangle C4 C6 C8; assign D circle D1 D2 D4 D8 D10; assign D square D5 D7; assign E "
    "triangle E6 E7 E9 E10; assign E circle E1 E5; assign E square E2 E3 E4 E8"
)
_OTHER: Final = (
    "assign A triangle A4 B8 E7; assign A circle A2 A6 A9 A10; assign A square B2 B3 B4; assign B triangle C5 "
    "C6 C8 C10; assign B circle B5 B6 B9; assign B square B1 B7 B10; assign C triangle C1 C2 C7; assign C "
    "circle C3 C4 C9; assign C square D4 D6 D7 D10; assign D triangle E5 E6 E10; assign D circle E1 E2 E3 E8 "
    "E9; assign D square D3 D5; assign E triangle D1 D2 D8 D9; assign E circle A8 E4; assign E square A1 A3 A5 "
    "A7"
)

LESSON: Final = Lesson(
    seed=b"lesson 15",
    before="colour cyan; " + _OWN,
    steps=(
        LessonStep(
            "What you are after",
            "Five boards lie face down. Turn up a card, call whether the next one is higher or lower, and"
            " each right call"
            " is a point.",
        ),
        LessonStep(
            "Your cards are among them",
            "The cyan spaces are yours. Before play you choose which of your fifty cards lie in each group of spaces"
            " of one shape.",
        ),
        LessonStep(
            "Fill a group",
            "Fourteen groups are filled already. A group takes cards of one suit, or all of different"
            " suits and numbers.",
            ask="Put the apples 4, 6 and 8 into the squares of board A",
            does="assign A square A4 A6 A8",
        ),
        LessonStep(
            "Lock in",
            "The dealer will shuffle each group over its spaces. You will know which cards are there, but"
            " not which lies where.",
            ask="Lock in your cards",
            does="lock",
            then=_OTHER + "; lock",
        ),
        LessonStep(
            "Choose a board",
            "You choose the first board, and whether you begin on it. On A you know three squares well.",
            ask="Choose board A and go first",
            does="board A first",
            points=("A",),
        ),
        LessonStep(
            "Turn up a grey card",
            "Grey cards belong to nobody. Each turn begins with one: choose it beside your own groups.",
            ask="Turn up the grey card on C1",
            does="flip c1",
            points=("c1",),
        ),
        LessonStep(
            "A call that can't fail",
            "It is a 2. Below it lies one of your squares: 4, 6 or 8. All of them are higher.",
            ask="Call C2 higher",
            does="S H",
            points=("c1", "c2"),
        ),
        LessonStep(
            "Go on from there",
            "An 8, and a point. To its right lies one of your triangles: 3, 4 or 9. Two of the three are lower.",
            ask="Call D2 lower",
            does="E L",
            points=("c2", "d2"),
        ),
        LessonStep(
            "Another safe call",
            "A 3. Above it lies another square of yours, the 4 or the 6: higher, whichever it is.",
            ask="Call D1 higher",
            does="N H",
            points=("d2", "d1"),
        ),
        LessonStep(
            "Know when to stop",
            "Three points are yours, whatever comes. A wrong call would only end the turn, but it would"
            " show Nim a card.",
            ask="Stop here",
            does="stop",
            then="flip c3; W L",
        ),
        LessonStep(
            "Nim's turn",
            "Nim turned up a 6 on C3 and called B3 lower. It is a 7: wrong, and the turn ends without a point.",
            points=("c3", "b3"),
        ),
        LessonStep(
            "How it ends",
            "When the last grey card of a board lies open, more points win the board. Three boards win the match.",
        ),
        LessonStep(
            "Now you know it",
            "Group far apart numbers where you mean to call, such as 1, 2 and 10: the ends make calls safe.",
        ),
    ),
)
