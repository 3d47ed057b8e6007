"""For games of simultaneous choices: submissions that a witness can't know change.

Those are the ones still secret, and those that were replaced before the reveal.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from games.kernel import Chance, Event, Game, Table, Witness, redact

Kinds = tuple[type[Event], ...]


def resample_submissions(
    table: Table, witness: Witness, rng: Random, submissions: Kinds, reveals: Kinds
) -> list[Event] | None:
    """The log with each of these submissions swapped for another that was legal when it was made.

    `submissions` are events with a `seat` and a secret; `reveals` are those that open every seat's latest submission.
    """
    unknown = set(never_shown(table, witness, submissions, reveals))
    state, log = table.game.open(table.options, table.seats, table.priority), []
    for version, event in enumerate(table.log):
        resampled = another(table.game, state, event, rng) if version in unknown else event
        log.append(resampled)
        state = table.game.evolve(state, resampled)
    return log if unknown else None


def another(game: Game, state: Any, event: Any, rng: Random) -> Event:
    """A submission that the same seat could have made instead."""
    command = game.sample(state, event.seat, rng)
    return next(iter(game.decide(state, event.seat, command, Chance(seed=None))))


def never_shown(table: Table, witness: Witness, submissions: Kinds, reveals: Kinds) -> Iterator[int]:
    """The places of the submissions that were secret to the witness and that no reveal has shown."""
    log: Sequence[Any] = table.log
    unrevealed: set[int] = set()
    for version in reversed(range(len(log))):
        event = log[version]
        if isinstance(event, reveals):
            unrevealed = set(range(table.seats))
        elif isinstance(event, submissions):
            if event.seat not in unrevealed and redact(event, witness) != event:
                yield version
            unrevealed.discard(event.seat)
