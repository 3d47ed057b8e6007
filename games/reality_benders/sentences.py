"""Events as English sentences."""

from collections.abc import Sequence
from typing import Any

from games.kernel import FlagFallen, Resigned
from games.reality_benders.events import (
    AbilityResolved,
    BendingSubmitted,
    BoutFinished,
    BoutStarted,
    DuelResolved,
    OffersRevealed,
    RulesBent,
    SpellPicked,
    SpellsOffered,
    SpellsRevealed,
    SpellSubmitted,
)
from games.reality_benders.pieces import NAMES
from games.reality_benders.telling import (
    bend_words,
    cast_words,
    gain_words,
    listed,
    reach_words,
    result_words,
    rule_words,
)

Names = Sequence[str]


def sentence(event: Any, names: Names) -> str:
    """Describe an event in a sentence for people; redacted fields are called hidden."""
    match event:
        case BendingSubmitted():
            return f"{names[event.seat]} locks in {_bending(event)}."
        case RulesBent():
            used = [f" {names[use.seat]} used the {use.item} on {rule_words(use.rule)}." for use in event.items]
            return f"The rules are bent: {_change(event)}." + "".join(used)
        case SpellSubmitted():
            return f"{names[event.seat]} locks in {_submitted(event)}."
        case SpellsRevealed():
            casts = [(names[cast.seat], cast_words(cast.spell, cast.targets, cast.bonus)) for cast in event.casts]
            return "; ".join(f"{name} casts {cast}" for name, cast in casts) + "."
        case AbilityResolved():
            casters = listed([names[seat] for seat in event.seats])
            return f"{NAMES[event.spell]} ({casters}) resolves: {_change(event)}."
        case DuelResolved():
            return " ".join((reach_words(event), result_words(event, names), gain_words(event, names)))
        case SpellsOffered():
            offer = "a hidden offer" if event.spells is None else f"an offer of {_spells(event.spells)}"
            return f"{names[event.seat]} locks in {offer} for {names[event.to]}'s Imagination."
        case OffersRevealed():
            open_to = [(names[seat], offer) for seat, offer in enumerate(event.offers) if offer]
            return " ".join(f"{name} may take {_spells(offer, 'or')}." for name, offer in open_to)
        case SpellPicked():
            return f"{names[event.seat]} takes {NAMES[event.spell]} into hand."
        case BoutFinished():
            result = "nobody wins it" if event.winner is None else f"{names[event.winner]} wins it"
            return f"Bout {event.bout} ends {event.points[0]}-{event.points[1]}: {result}."
        case BoutStarted():
            return f"Bout {event.bout} begins: full hands, the rules stay as they are."
        case Resigned():
            return f"{names[event.seat]} resigns."
        case FlagFallen():
            return f"{names[event.seat]}'s time has run out."
        case _:
            return str(event)


def _bending(event: BendingSubmitted) -> str:
    return "hidden rules" if event.rules is None else bend_words(event.rules, event.bridge, event.break_)


def _submitted(event: SpellSubmitted) -> str:
    if event.spell is None:
        return "a hidden spell"
    return cast_words(event.spell, event.targets or (), event.bonus is True)


def _change(event: RulesBent | AbilityResolved) -> str:
    parts = (("new", event.added), ("gone", event.removed))
    changes = [f"{word} {'is' if len(rules) == 1 else 'are'} {_rules(rules)}" for word, rules in parts if rules]
    return "; ".join(changes) or "no rule changes"


def _rules(rules: Sequence[str]) -> str:
    return listed([rule_words(rule) for rule in rules])


def _spells(spells: Sequence[str], last: str = "and") -> str:
    return listed([NAMES[spell] for spell in spells], last)
