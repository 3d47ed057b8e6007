"""The seats that take part in a stage, and the reveal once all of them have submitted."""

from collections.abc import Callable
from typing import Final

from games.kernel import Event
from games.reality_benders.commands import Bend, Cast, Offer
from games.reality_benders.duel import abilities, duel
from games.reality_benders.events import OffersRevealed, RulesBent, SpellsRevealed
from games.reality_benders.graph import graph_of
from games.reality_benders.pieces import Casting, ItemUse
from games.reality_benders.state import State

Batch = tuple[Event, ...]


def choosers(state: State) -> tuple[int, ...]:
    """Return the seats that take part in the stage, submitted or not."""
    match state.stage:
        case "bend" | "cast":
            return (0, 1)
        case "offer":
            return tuple(seat for seat in (0, 1) if state.casts[1 - seat].spell == "I")
        case "pick":
            return tuple(seat for seat in (0, 1) if state.offers[seat] is not None)
        case "closing" | "over":
            return ()


def opened(state: State) -> Batch:
    """Return the events of the reveal, none until every chooser has submitted. R4"""
    reveal = _REVEALS.get(state.stage)
    if reveal is None or any(state.submitted[seat] is None for seat in choosers(state)):
        return ()
    return reveal(state)


def _open_bendings(state: State) -> Batch:
    bends = [bend for bend in state.submitted if isinstance(bend, Bend)]
    items = tuple(
        ItemUse(seat, item, rule)
        for seat, bend in enumerate(bends)
        for item, rule in (("break", bend.break_), ("bridge", bend.bridge))
        if rule is not None
    )
    broken = {use.rule for use in items if use.item == "break"}  # R7
    bridged = {use.rule for use in items if use.item == "bridge"}
    added = bridged.union(*(bend.rules for bend in bends))
    return (RulesBent(tuple(sorted(added)), tuple(sorted(broken)), items),)


def _open_casts(state: State) -> Batch:
    casts = tuple(
        Casting(seat, cast.spell, cast.targets, cast.bonus)
        for seat, cast in enumerate(state.submitted)
        if isinstance(cast, Cast)
    )
    effects, graph = abilities(casts, graph_of(state.rules))
    ties_trash = state.phase >= tie_trash_phase(state)
    return (SpellsRevealed(casts), *effects, duel(casts, state.casts, graph, ties_trash))


def tie_trash_phase(state: State) -> int:
    """Return the phase of this bout from which every tie trashes both spells. R16"""
    return state.options.tie_trash_phase_first if state.bout == 1 else state.options.tie_trash_phase


def _open_offers(state: State) -> Batch:
    """Return the offers by the seat that picks, so each is at the other seat's index. R17"""
    offers = tuple(offer.spells if isinstance(offer, Offer) else None for offer in reversed(state.submitted))
    return (OffersRevealed(offers),)


_REVEALS: Final[dict[str, Callable[[State], Batch]]] = {
    "bend": _open_bendings,
    "cast": _open_casts,
    "offer": _open_offers,
}
