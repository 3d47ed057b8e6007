"""The effects of two revealed spells: the abilities in order, then the duel."""

from collections.abc import Callable, Sequence
from typing import Final

from games.reality_benders.events import AbilityResolved, DuelResolved
from games.reality_benders.graph import INFINITE, built, burnt, distance, dizzied, exploded, rules_of
from games.reality_benders.pieces import Casting

Casts = Sequence[Casting]
Effect = Callable[[int, Sequence[Sequence[str]]], int]

EFFECTS: Final[dict[str, Effect]] = {"B": built, "D": dizzied, "E": exploded, "H": burnt}
"""The abilities that change the rules, each applied to all its casts at once. R12"""


def abilities(casts: Casts, graph: int) -> tuple[list[AbilityResolved], int]:
    """Return each spell's ability in order, and the resulting graph; Imagination has its own events. R11"""
    effects = []
    for spell in sorted({cast.spell for cast in casts} - {"I"}):
        own = [cast for cast in casts if cast.spell == spell]
        after = affected(graph, spell, [cast.targets for cast in own])
        seats = tuple(cast.seat for cast in own)
        effects.append(AbilityResolved(spell, seats, rules_of(after & ~graph), rules_of(graph & ~after)))
        graph = after
    return effects, graph


def affected(graph: int, spell: str, targets: Sequence[Sequence[str]]) -> int:
    """Return the graph after all casts of one spell, each applied to the original graph."""
    effect = EFFECTS.get(spell)
    return effect(graph, targets) if effect else graph


def duel(casts: Casts, previous: Casts, graph: int, ties_trash: bool) -> DuelResolved:
    """Return the result of the duel on the graph after the abilities; `previous` are the last casts, for Combo."""
    there, back = distances(casts, graph)
    winner = winner_of(casts, there, back)
    trashed, returned = discards(casts, winner, ties_trash)
    return DuelResolved(
        casts=tuple(casts),
        distances=(_finite(there), _finite(back)),
        winner=winner,
        points=points_of(casts, previous, winner),
        trashed=trashed,
        returned=returned,
    )


def distances(casts: Casts, graph: int) -> tuple[int, int]:
    """Return the distances from seat 0's spell to seat 1's, and back. R13"""
    x, y = casts[0].spell, casts[1].spell
    return distance(graph, x, y), distance(graph, y, x)


def winner_of(casts: Casts, there: int, back: int) -> int | None:
    """Return the seat that wins the duel, None for a tie."""
    seers = [cast.seat for cast in casts if cast.spell == "F" and casts[1 - cast.seat].spell in cast.targets]
    if len(seers) == 1:  # R14
        return seers[0]
    if there == back:  # R13, and R14 for two that foresee each other
        return None
    return 0 if there < back else 1


def points_of(casts: Casts, previous: Casts, winner: int | None) -> tuple[int, ...]:
    """Return the points that each seat gains in the duel. R15"""
    factor = 2 if any(cast.spell == "G" for cast in casts) else 1
    return tuple(
        factor * _plain_points(cast, previous, winner) + (cast.bonus and winner == cast.seat) for cast in casts
    )


def _plain_points(cast: Casting, previous: Casts, winner: int | None) -> int:
    won = winner == cast.seat
    armageddon = cast.spell == "A" and winner is None
    combo = (
        bool(previous)
        and previous[cast.seat].spell == "C"
        and previous[cast.seat].targets[0] == cast.spell
        and winner in (None, cast.seat)
    )
    return won + armageddon + combo


def discards(
    casts: Casts, winner: int | None, ties_trash: bool
) -> tuple[tuple[tuple[str, ...], ...], tuple[tuple[str, ...], ...]]:
    """Return the spells trashed and those returned to hand, by seat. R16"""
    x, y = casts[0].spell, casts[1].spell
    both, none = ((x,), (y,)), ((), ())
    trash = winner is not None or x == y or "A" in (x, y) or ties_trash
    return (both, none) if trash else (none, both)


def _finite(steps: int) -> int | None:
    return None if steps == INFINITE else steps
