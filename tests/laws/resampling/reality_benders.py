"""Submissions that a witness can't know change: those still secret, and those replaced before the reveal."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from games.kernel import Chance, Event, Game, Table, Witness, redact
from games.reality_benders.events import (
    BendingSubmitted,
    OffersRevealed,
    RulesBent,
    SpellsOffered,
    SpellsRevealed,
    SpellSubmitted,
)
from games.reality_benders.state import State

SUBMISSIONS = (BendingSubmitted, SpellSubmitted, SpellsOffered)
REVEALS = (RulesBent, SpellsRevealed, OffersRevealed)


def resample(table: Table, witness: Witness, rng: Random) -> list[Event] | None:
    """The log with each of these submissions swapped for another that was legal when it was made."""
    unknown = set(never_shown(table.log, witness))
    state, log = table.game.open(table.options, table.seats, table.priority), []
    for version, event in enumerate(table.log):
        told = another(table.game, state, event, rng) if version in unknown else event
        log.append(told)
        state = table.game.evolve(state, told)
    return log if unknown else None


def another(game: Game, state: State, event: Any, rng: Random) -> Event:
    """A submission that the same seat could have made instead."""
    command = game.sample(state, event.seat, rng)
    return next(iter(game.decide(state, event.seat, command, Chance(seed=None))))


def never_shown(log: Sequence[Any], witness: Witness) -> Iterator[int]:
    """The places of the submissions that were secret to the witness and that no reveal has shown."""
    shown: set[int] = set()
    for version in reversed(range(len(log))):
        event = log[version]
        if isinstance(event, REVEALS):
            shown = {0, 1}
        elif isinstance(event, SUBMISSIONS):
            if event.seat not in shown and redact(event, witness) != event:
                yield version
            shown.discard(event.seat)
