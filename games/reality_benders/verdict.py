"""The verdict on the table: the result of the duel, or the current action."""

from collections.abc import Sequence
from dataclasses import dataclass

from games.drawing.headlines import ended
from games.reality_benders.checks import rules_wanted
from games.reality_benders.events import DuelResolved
from games.reality_benders.rules import outcome
from games.reality_benders.state import State
from games.reality_benders.telling import gain_words, reach_words, result_words

Names = Sequence[str]


@dataclass(frozen=True)
class Verdict:
    """`head` is a sentence, `detail` explains it, `brief` is a shorter `detail`; `steps` are a duel's, by seat."""

    head: str
    detail: str
    brief: str
    steps: tuple[str, ...] = ()


def verdict(view: State, names: Names) -> Verdict:
    """Return the verdict of a state."""
    if view.duel is not None and view.duel.casts:
        return _of_duel(view, view.duel, names)
    end = outcome(view)
    if end is not None:
        return Verdict(f"{ended(end, names)}.", "", "")
    if view.stage == "bend":
        count = "one new rule" if rules_wanted(view) == 1 else f"{_WORDS[rules_wanted(view)]} new rules"
        each = f"Each seat makes {count}, from spell to spell. Both are opened together."
        return Verdict("The rules are bent in secret.", each, each)
    aim = "Whoever’s spell reaches the other’s in fewer steps wins the duel."
    return Verdict("Spells are cast in secret.", aim, aim)


_WORDS = {0: "no", 2: "two"}


def _of_duel(view: State, duel: DuelResolved, names: Names) -> Verdict:
    end = outcome(view)
    result, reach, gain = result_words(duel, names), reach_words(duel), gain_words(duel, names)
    head = f"{ended(end, names)}." if end is not None else result
    detail = f"{reach} {gain}" if end is None else f"{result} {reach}"
    same = duel.casts[0].spell == duel.casts[1].spell
    steps = ("", "") if same else tuple("never" if far is None else str(far) for far in duel.distances)
    return Verdict(head, detail, reach, steps)
