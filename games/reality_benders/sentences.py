"""Events told in English, as one witness was told them."""

from collections.abc import Sequence
from typing import Any, Final

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
from games.reality_benders.pieces import NAMES, Casting

Names = Sequence[str]

_AIMS: Final = {
    "B": " between {} and {}",
    "C": " naming {}",
    "D": " at {}",
    "E": " at {}",
    "F": " naming {}",
    "H": " from {} to {}",
}


def sentence(event: Any, names: Names) -> str:
    """The event in English; what is secret is called hidden."""
    match event:
        case BendingSubmitted():
            return f"{names[event.seat]} locks in {_bending(event)}."
        case RulesBent():
            used = [f" {names[use.seat]} used the {use.item} on {use.rule}." for use in event.items]
            return f"The rules are bent: {_change(event)}." + "".join(used)
        case SpellSubmitted():
            return f"{names[event.seat]} locks in {_submitted(event)}."
        case SpellsRevealed():
            return "; ".join(f"{names[cast.seat]} casts {_cast(cast)}" for cast in event.casts) + "."
        case AbilityResolved():
            casters = _listed([names[seat] for seat in event.seats])
            return f"{NAMES[event.spell]} ({casters}) resolves: {_change(event)}."
        case DuelResolved():
            return _duel(event, names)
        case SpellsOffered():
            offer = "a hidden offer" if event.spells is None else f"an offer of {_listed(event.spells)}"
            return f"{names[event.seat]} locks in {offer} for {names[event.to]}'s Imagination."
        case OffersRevealed():
            open_to = [(names[seat], offer) for seat, offer in enumerate(event.offers) if offer]
            return " ".join(f"{name} may take {_listed(offer, 'or')}." for name, offer in open_to)
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
    if event.rules is None:
        return "hidden rules"
    rules = _listed(event.rules) if event.rules else "no rule"
    bridge = f", the bridge {event.bridge}" if event.bridge else ""
    broken = f", the break {event.break_}" if event.break_ else ""
    return rules + bridge + broken


def _submitted(event: SpellSubmitted) -> str:
    if event.spell is None:
        return "a hidden spell"
    return _cast(Casting(event.seat, event.spell, event.targets or (), event.bonus is True))


def _cast(cast: Casting) -> str:
    aim = _AIMS.get(cast.spell, "").format(*cast.targets)
    return NAMES[cast.spell] + aim + (", with the bonus" if cast.bonus else "")


def _change(event: RulesBent | AbilityResolved) -> str:
    added = [f"{', '.join(event.added)} added"] if event.added else []
    removed = [f"{', '.join(event.removed)} removed"] if event.removed else []
    return "; ".join(added + removed) or "no rule changes"


def _duel(event: DuelResolved, names: Names) -> str:
    x, y = (cast.spell for cast in event.casts)
    there, back = ("infinite" if steps is None else str(steps) for steps in event.distances)
    result = "a tie" if event.winner is None else f"{names[event.winner]} wins"
    gains = [f"{names[seat]} +{gain}" for seat, gain in enumerate(event.points) if gain]
    fate = "both spells are trashed" if event.trashed[0] else "both spells return to hand"
    return f"d({x},{y})={there}, d({y},{x})={back}: {result}; {', '.join([*gains, fate])}."


def _listed(words: Sequence[str], last: str = "and") -> str:
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), words[-1])))
