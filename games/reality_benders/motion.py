"""What is seen to move: what is locked in goes to its seat's place, both turn over together, and spells act."""

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


def _sealed(submitted: BendingSubmitted | SpellSubmitted) -> Sequence[Step]:
    return (travel(f"seat {submitted.seat}", f"card {submitted.seat}"),)


def _acts(resolved: AbilityResolved) -> Sequence[Step]:
    """A spell that changed the rules turns over where it stands."""
    return (reveal(resolved.spell),) if resolved.added or resolved.removed else ()


MOTION: Final[Mapping[type[Event], Motion]] = {
    BendingSubmitted: _sealed,
    RulesBent: lambda bent: tuple(reveal(f"rule {rule}") for rule in bent.added),
    SpellSubmitted: _sealed,
    SpellsRevealed: lambda revealed: tuple(reveal(f"card {cast.seat}") for cast in revealed.casts),
    AbilityResolved: _acts,
    DuelResolved: lambda resolved: (reveal("verdict"),),
    SpellsOffered: lambda offered: (travel(f"seat {offered.seat}", "I"),),
    OffersRevealed: lambda opened: tuple(reveal(spell) for offer in opened.offers for spell in offer or ()),
    SpellPicked: lambda picked: (travel(picked.spell, f"seat {picked.seat}"),),
    BoutFinished: still,
    BoutStarted: still,
}
