"""The order of the cards that are still in the deck changes."""

from random import Random

from msgspec.structs import replace

from games.kernel import Event, Table, Witness
from games.pentagram.events import DeckShuffled


def resample(table: Table, witness: Witness, rng: Random) -> list[Event] | None:
    """The log with the rest of the deck shuffled anew."""
    return [_reordered(event, table.state.left, rng) for event in table.log]


def _reordered(event: Event, left: int, rng: Random) -> Event:
    if not isinstance(event, DeckShuffled) or event.order is None:
        return event
    shown = len(event.order) - left
    rest = list(event.order[shown:])
    rng.shuffle(rest)
    return replace(event, order=(*event.order[:shown], *rest))
