"""The animations: locks close, both cards turn over, spells act, and a picked spell moves to its seat."""

from collections.abc import Mapping, Sequence
from typing import Final

from games.kernel import Event, Motion, Step, reveal, still, travel
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


def _locks(submitted: BendingSubmitted | SpellsOffered) -> Sequence[Step]:
    """Turn over only the lock: the seat's card may still show the last duel's spell."""
    return (reveal(f"lock {submitted.seat}"),)


def _acts(resolved: AbilityResolved) -> Sequence[Step]:
    """Turn over a spell that changed the rules."""
    return (reveal(resolved.spell),) if resolved.added or resolved.removed else ()


MOTION: Final[Mapping[type[Event], Motion]] = {
    BendingSubmitted: _locks,
    RulesBent: lambda bent: tuple(reveal(f"rule {rule}") for rule in bent.added),
    SpellSubmitted: lambda submitted: (reveal(f"card {submitted.seat}"),),
    SpellsRevealed: lambda revealed: tuple(reveal(f"card {cast.seat}") for cast in revealed.casts),
    AbilityResolved: _acts,
    DuelResolved: lambda resolved: (reveal("verdict"),),
    SpellsOffered: _locks,
    OffersRevealed: lambda opened: tuple(reveal(spell) for offer in opened.offers for spell in offer or ()),
    SpellPicked: lambda picked: (travel(picked.spell, f"seat {picked.seat}"),),
    BoutFinished: still,
    BoutStarted: still,
}
