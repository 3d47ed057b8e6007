"""The match in people's words: rules and spells by their names, a duel by its steps."""

from collections.abc import Sequence

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
    """Words in a row: `a, b and c`."""
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), "".join(words[-1:]))))


def rule_words(rule: str) -> str:
    """A rule by its spells: `Armageddon to Dizzy`."""
    return f"{NAMES[rule[0]]} to {NAMES[rule[2]]}"


def aim_words(spell: str, targets: Sequence[str]) -> str:
    """What a spell is aimed at: ` at Combo`; empty where it aims at nothing."""
    return _AIMS.get(spell, "").format(*(NAMES[target] for target in targets))


def cast_words(spell: str, targets: Sequence[str], bonus: bool) -> str:
    """A spell as it is cast: `Dizzy at Combo, with the bonus`."""
    return NAMES[spell] + aim_words(spell, targets) + (", with the bonus" if bonus else "")


def bend_words(rules: Sequence[str], bridge: str | None, broken: str | None) -> str:
    """What is submitted to bend the rules."""
    told = listed([rule_words(rule) for rule in rules]) if rules else "no rule"
    over = f", the bridge from {rule_words(bridge)}" if bridge else ""
    away = f", the break of {rule_words(broken)}" if broken else ""
    return told + over + away


def submission_words(submission: Bend | Cast | Offer) -> str:
    """What a seat has locked in."""
    match submission:
        case Bend():
            return bend_words(submission.rules, submission.bridge, submission.break_)
        case Cast():
            return cast_words(submission.spell, submission.targets, submission.bonus)
        case Offer():
            return listed([NAMES[spell] for spell in submission.spells])


def reach_words(duel: DuelResolved) -> str:
    """How far each spell has to the other, as a sentence."""
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
    return f"{start} reaches {goal} in {steps} {'step' if steps == 1 else 'steps'}"


def result_words(duel: DuelResolved, names: Names) -> str:
    """Who wins, as a sentence; a Foresight that came true is named."""
    if duel.winner is None:
        return "The duel is a tie."
    winner, loser = duel.casts[duel.winner], duel.casts[1 - duel.winner]
    if winner.spell == "F" and loser.spell in winner.targets:
        return f"{names[duel.winner]} foresaw {NAMES[loser.spell]} and wins the duel."
    return f"{names[duel.winner]} wins the duel."


def gain_words(duel: DuelResolved, names: Names) -> str:
    """The points and what becomes of the spells, as a sentence."""
    gains = [
        f"{names[seat]} gains {gain} {'point' if gain == 1 else 'points'}"
        for seat, gain in enumerate(duel.points)
        if gain
    ]
    fate = "both spells are trashed" if duel.trashed[0] else "both spells return to hand"
    told = "; ".join([*gains, fate])
    return f"{told[0].upper()}{told[1:]}." if not gains else f"{told}."
