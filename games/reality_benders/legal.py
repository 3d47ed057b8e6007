"""The legal commands of a seat, from its witness state: all of them, or one at random."""

from collections.abc import Iterator
from itertools import combinations, permutations
from random import Random
from typing import Final

from games.kernel import Command
from games.reality_benders.checks import rules_wanted
from games.reality_benders.commands import Bend, Cast, Offer, Pick
from games.reality_benders.pieces import OFFERED, RULES, SPELLS, TARGETS
from games.reality_benders.rules import due
from games.reality_benders.state import State, castable

_ONE: Final = tuple((spell,) for spell in SPELLS)
_ARRANGEMENTS: Final = {0: ((),), 1: _ONE, 2: tuple(permutations(SPELLS, 2))}
TARGETINGS: Final[dict[str, tuple[tuple[str, ...], ...]]] = {
    spell: _ARRANGEMENTS[count] for spell, count in TARGETS.items()
} | {"B": tuple(combinations(SPELLS, 2))}
"""All combinations of targets of each spell; Build's two targets have no order."""

OFFERS: Final = tuple(combinations(OFFERED, 3))


def absent_rules(state: State) -> list[str]:
    """Return the rules that can still be made."""
    present = set(state.rules)
    return [rule for rule in RULES if rule not in present]


def legal(state: State, seat: int) -> Iterator[Command]:
    """Yield every legal command, replacements included, but only bendings without an item."""
    if not due(state).commands_of(seat):
        return
    match state.stage:
        case "bend":
            yield from map(Bend, combinations(absent_rules(state), rules_wanted(state)))
        case "cast":
            yield from _casts(state, seat)
        case "offer":
            yield from map(Offer, OFFERS)
        case "pick":
            yield from map(Pick, state.offers[seat] or ())


def sample(state: State, seat: int, rng: Random) -> Command:
    """Return a random legal command, sometimes with an item."""
    match state.stage:
        case "bend":
            return _random_bend(state, seat, rng)
        case "cast":
            spell = rng.choice(castable(state, seat))
            bonus = "bonus" in state.items[seat] and rng.random() < 0.1
            return Cast(spell, rng.choice(TARGETINGS[spell]), bonus)
        case "offer":
            return Offer(rng.choice(OFFERS))
        case _:
            return Pick(rng.choice(state.offers[seat] or ()))


def _casts(state: State, seat: int) -> Iterator[Command]:
    chances = (False, True) if "bonus" in state.items[seat] else (False,)
    for spell in castable(state, seat):
        for targets in TARGETINGS[spell]:
            for bonus in chances:
                yield Cast(spell, targets, bonus)


def _random_bend(state: State, seat: int, rng: Random) -> Bend:
    absent, items = absent_rules(state), state.items[seat]
    wanted = rules_wanted(state)
    bridged = len(absent) > wanted and "bridge" in items and rng.random() < 0.1
    broken = bool(state.rules) and "break" in items and rng.random() < 0.1
    chosen = rng.sample(absent, wanted + bridged)
    return Bend(
        rules=tuple(sorted(chosen[bridged:])),
        bridge=chosen[0] if bridged else None,
        break_=rng.choice(state.rules) if broken else None,
    )
