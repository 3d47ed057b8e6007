"""The bot: it bends the rules in favour of its hand, and chooses a cast by a mixed strategy from fictitious play."""

from collections.abc import Sequence
from random import Random
from typing import Final

from games.kernel import Command
from games.reality_benders.commands import Bend, Cast, Offer, Pick
from games.reality_benders.duel import affected, distances, points_of, winner_of
from games.reality_benders.graph import BIT, graph_of
from games.reality_benders.legal import TARGETINGS, sample
from games.reality_benders.outlook import chances, promise
from games.reality_benders.pieces import OFFERED, Casting
from games.reality_benders.state import State, castable

Payoffs = list[list[float]]

_RANDOM_BENDINGS: Final = 60
_MOST_TARGETINGS: Final = 5
_PLAYED_ROUNDS: Final = 150
_RANDOM_ROUNDS: Final = 60
_DECIMALS: Final = 9
"""The decimal places to which sums are rounded before a comparison; further digits differ between Python releases."""
_EXTRA_VALUES: Final = {"C": 0.15, "I": 0.4}
"""The estimated value of a spell beyond its own duel, in points."""


def bot(state: State, seat: int, rng: Random) -> Command:
    """Return the bot's command from the seat's witness state."""
    match state.stage:
        case "bend":
            return _bend(state, seat, rng)
        case "cast":
            return _cast(state, seat, rng)
        case "offer":
            return Offer(_ranked(state, 1 - seat, OFFERED)[:3])
        case _:
            return Pick(_ranked(state, seat, state.offers[seat] or ())[-1])


def _bend(state: State, seat: int, rng: Random) -> Command:
    """Return the best of some random bendings; each item that a bending uses lowers its value."""
    own, other = castable(state, seat), castable(state, 1 - seat)
    graph = graph_of(state.rules)

    def value(bend: Bend) -> float:
        after = graph & ~_bits(bend.break_) | _bits(*bend.rules, bend.bridge)
        items = (bend.bridge is not None) + (bend.break_ is not None)
        return round(promise(after, own, other) - 0.25 * items, _DECIMALS)

    bends = (sample(state, seat, rng) for _ in range(_RANDOM_BENDINGS))
    return max((bend for bend in bends if isinstance(bend, Bend)), key=value)


def _bits(*rules: str | None) -> int:
    return sum(BIT[rule] for rule in rules if rule is not None)


def _cast(state: State, seat: int, rng: Random) -> Cast:
    own, other = _casts(state, seat, rng), _casts(state, 1 - seat, rng)
    graph = graph_of(state.rules)
    payoffs = [[_payoff(state.casts, one, two, graph) for two in other] for one in own]
    row_counts, column_counts = _fictitious_play(payoffs)
    row = rng.choices(range(len(own)), [weight * weight for weight in row_counts])[0]
    expected = round(sum(map(float.__mul__, payoffs[row], column_counts)) / sum(column_counts), _DECIMALS)
    bonus = "bonus" in state.items[seat] and expected > 0.6
    return Cast(own[row].spell, own[row].targets, bonus)


def _casts(state: State, seat: int, rng: Random) -> list[Casting]:
    """Return some ways to cast each spell. One without effect is among them only if the spell has no other."""
    casts = []
    for spell in castable(state, seat):
        targetings = [targets for targets in TARGETINGS[spell] if _has_effect(state, seat, spell, targets)]
        chosen = targetings if len(targetings) <= _MOST_TARGETINGS else rng.sample(targetings, _MOST_TARGETINGS)
        casts += [Casting(seat, spell, targets, bonus=False) for targets in chosen or TARGETINGS[spell][:1]]
    return casts


def _has_effect(state: State, seat: int, spell: str, targets: Sequence[str]) -> bool:
    match spell:
        case "C":
            return targets[0] in state.hands[seat] and targets[0] != "C"
        case "F":
            return targets[0] in castable(state, 1 - seat)
        case _:
            return True


def _payoff(previous: Sequence[Casting], own: Casting, other: Casting, graph: int) -> float:
    """Return the points that `own` gains on `other` in their duel, with the extra values of both spells."""
    casts = (own, other) if own.seat == 0 else (other, own)
    for spell in sorted({own.spell, other.spell}):
        graph = affected(graph, spell, [cast.targets for cast in casts if cast.spell == spell])
    points = points_of(casts, previous, winner_of(casts, *distances(casts, graph)))
    worth = _EXTRA_VALUES.get(own.spell, 0.0) - _EXTRA_VALUES.get(other.spell, 0.0)
    return points[own.seat] - points[other.seat] + worth


def _fictitious_play(payoffs: Payoffs) -> tuple[list[int], list[float]]:
    """Run fictitious play; return how often each row and each column was played.

    The counts of columns begin with `_RANDOM_ROUNDS` of a player who chooses at random.
    """
    columns = list(map(list, zip(*payoffs, strict=True)))
    column_counts = [_RANDOM_ROUNDS / len(columns)] * len(columns)
    row_sums = [round(sum(row) * _RANDOM_ROUNDS / len(columns), _DECIMALS) for row in payoffs]
    column_sums = [0.0] * len(columns)
    row_counts = [0] * len(payoffs)
    for _ in range(_PLAYED_ROUNDS):
        row = row_sums.index(max(row_sums))
        row_counts[row] += 1
        column_sums = list(map(float.__add__, column_sums, payoffs[row]))
        column = column_sums.index(min(column_sums))
        column_counts[column] += 1
        row_sums = list(map(float.__add__, row_sums, columns[column]))
    return row_counts, column_counts


def _ranked(state: State, seat: int, spells: Sequence[str]) -> tuple[str, ...]:
    """Return the spells from the least to the most useful against the other hand, equal ones in alphabetical order."""
    results = chances(graph_of(state.rules), spells, state.hands[1 - seat])
    return tuple(sorted(spells, key=lambda spell: (results[spell], spell)))
