"""Texts for people: rules and spells by name, a duel by its steps."""

from collections.abc import Sequence

from games.kernel import quantity
from games.reality_benders.commands import Bend, Cast, Offer
from games.reality_benders.events import DuelResolved
from games.reality_benders.pieces import NAMES

Names = Sequence[str]

_AIMS = {
    "B": " between {} and {}",
    "C": " naming {}",
    "D": " at {}",
    "E": " at {}",
    "F": " naming {}",
    "H": " from {} to {}",
}


def listed(words: Sequence[str], last: str = "and") -> str:
    """Join words: `a, b and c`."""
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), "".join(words[-1:]))))


def rule_words(rule: str) -> str:
    """Describe a rule by its spells: `Armageddon to Dizzy`."""
    return f"{NAMES[rule[0]]} to {NAMES[rule[2]]}"


def aim_words(spell: str, targets: Sequence[str]) -> str:
    """Describe a spell's targets: ` at Combo`; empty without targets."""
    return _AIMS.get(spell, "").format(*(NAMES[target] for target in targets))


def cast_words(spell: str, targets: Sequence[str], bonus: bool) -> str:
    """Describe a cast spell: `Dizzy at Combo, with the bonus`."""
    return NAMES[spell] + aim_words(spell, targets) + (", with the bonus" if bonus else "")


def bend_words(rules: Sequence[str], bridge: str | None, broken: str | None) -> str:
    """Describe a bending."""
    made = listed([rule_words(rule) for rule in rules]) if rules else "no rule"
    over = f", the bridge from {rule_words(bridge)}" if bridge else ""
    away = f", the break of {rule_words(broken)}" if broken else ""
    return made + over + away


def submission_words(submission: Bend | Cast | Offer) -> str:
    """Describe a submission."""
    match submission:
        case Bend():
            return bend_words(submission.rules, submission.bridge, submission.break_)
        case Cast():
            return cast_words(submission.spell, submission.targets, submission.bonus)
        case Offer():
            return listed([NAMES[spell] for spell in submission.spells])


def reach_words(duel: DuelResolved) -> str:
    """Describe the distances of a duel in a sentence."""
    x, y = (NAMES[cast.spell] for cast in duel.casts)
    there, back = duel.distances
    if x == y:
        return f"Both cast {x}."
    if there is None and back is None:
        return f"Neither {x} nor {y} reaches the other."
    return f"{_reaches(x, y, there)}; {_reaches(y, x, back)}."


def _reaches(start: str, goal: str, steps: int | None) -> str:
    if steps is None:
        return f"{start} never reaches {goal}"
    return f"{start} reaches {goal} in {quantity(steps, 'step')}"


def result_words(duel: DuelResolved, names: Names) -> str:
    """Describe the winner of a duel in a sentence; a correct Foresight is named."""
    if duel.winner is None:
        return "The duel is a tie."
    winner, loser = duel.casts[duel.winner], duel.casts[1 - duel.winner]
    if winner.spell == "F" and loser.spell in winner.targets:
        return f"{names[duel.winner]} foresaw {NAMES[loser.spell]} and wins the duel."
    return f"{names[duel.winner]} wins the duel."


def gain_words(duel: DuelResolved, names: Names) -> str:
    """Describe the gained points and what happens to the spells, in a sentence."""
    gains = [f"{names[seat]} gains {quantity(gain, 'point')}" for seat, gain in enumerate(duel.points) if gain]
    fate = "both spells are trashed" if duel.trashed[0] else "both spells return to hand"
    words = "; ".join([*gains, fate])
    return f"{words[0].upper()}{words[1:]}." if not gains else f"{words}."
