"""The lesson: arrows, a bending, a duel, and a spell that changes the next duel."""

from typing import Final

from games.kernel import Lesson, LessonStep

LESSON: Final = Lesson(
    seed=b"lesson",
    options={"rules": ["A>B", "A>E", "E>H", "I>A"], "rules_each": 1},
    steps=(
        LessonStep(
            "What you are after",
            "Each of you casts one of nine spells in secret. The spell with the shorter way to the other"
            " along the arrows"
            " wins the duel, and a point.",
        ),
        LessonStep(
            "Read the arrows",
            "An arrow leads from Armageddon to Explosion, another on to Hellfire. A reaches H in two steps, and H never"
            " reaches A: so A beats H.",
            points=("A", "E", "H"),
        ),
        LessonStep(
            "Bend the rules",
            "Before each duel you both make a new arrow, in secret. Give Greed a way to Hellfire.",
            ask="Choose G, then H, and lock in",
            does="bend G>H",
            points=("G", "H"),
            then="bend F>I",
        ),
        LessonStep(
            "Revealed together",
            "Your arrow and Nim's stand now. Greed reaches Hellfire in one step, and no way leads back.",
            points=("G", "H"),
        ),
        LessonStep(
            "Cast a spell",
            "Nim likes Hellfire. Greed wins against it, and doubles the points of the duel besides.",
            ask="Choose Greed, and lock in",
            does="cast G",
            points=("G",),
            then="cast H:C,D",
        ),
        LessonStep(
            "The duel",
            "Nim cast Hellfire, and Greed had the shorter way: 1 point, doubled to 2. Both spells are used up.",
            points=("G", "H"),
        ),
        LessonStep(
            "Plan ahead",
            "Arrows stay from round to round. You want to cast Dizzy next, so give it a way to Armageddon,"
            " over Imagination.",
            ask="Choose D, then I, and lock in",
            does="bend D>I",
            points=("D", "I", "A"),
            then="bend B>D",
        ),
        LessonStep(
            "A tie is coming",
            "Nim's arrow makes a way from A over B to D: two steps each way. A tie would bring a point to Armageddon.",
            points=("A", "B", "D"),
        ),
        LessonStep(
            "Spells change the arrows",
            "Before the duel the spells take effect. Dizzy turns round every arrow at its target: aim it"
            " at Build, on Nim's"
            " way.",
            ask="Choose Dizzy, then Build as its target, and lock in",
            does="cast D:B",
            points=("D", "B"),
            then="cast A",
        ),
        LessonStep(
            "Turned round",
            "Nim's way to Dizzy is gone, and yours still has two steps: you win the duel, and lead by 3"
            " points to none.",
            points=("A", "B", "D"),
        ),
        LessonStep(
            "Three items",
            "Once a match you may make one more arrow (bridge), take one away (break), or win an extra point (bonus).",
        ),
        LessonStep(
            "Now you know it",
            "A bout ends when a hand is used up; more points win it, and two bouts win the match."
            " You can't cast the same spell twice running.",
        ),
    ),
)
