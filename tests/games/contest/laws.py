"""Over which contents the laws are run, and other truths: submissions of the open round change."""

from random import Random
from typing import Any

from games.contest import forms
from games.contest.events import RoundClosed, Submitted
from games.contest.fields import Number
from games.contest.state import State
from games.kernel import Event, Table, Witness
from tests.games.contest.contents import content_of
from tests.laws.submissions import never_shown


def OPTIONS(rng: Random) -> dict[str, Any]:
    """Options with a random content."""
    return {"content": content_of(rng)}


def resample(table: Table, witness: Witness, rng: Random) -> list[Event] | None:
    """Return the log with other hidden submissions; amounts paid stay, as gifts may depend on them."""
    unknown = set(never_shown(table, witness, (Submitted,), (RoundClosed,)))
    state, log = table.game.open(table.options, table.seats, table.priority), []
    for version, event in enumerate(table.log):
        changed = _other(state, event, rng) if version in unknown and isinstance(event, Submitted) else event
        log.append(changed)
        state = table.game.evolve(state, changed)
    return log if unknown else None


def _other(state: State, event: Submitted, rng: Random) -> Submitted:
    values = forms.sample(state, event.seat, rng)
    paid = [field.name for field in state.round.fields if isinstance(field, Number) and field.balance]
    return Submitted(
        event.seat, values | {name: event.values[name] for name in paid if event.values and name in values}
    )
