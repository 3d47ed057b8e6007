"""Over which options the laws are run, and other truths.

The order of the cards that are still in the deck changes.
"""

from random import Random

from msgspec.structs import replace

from games.kernel import Event, Table, Witness
from games.pentagram.events import DeckShuffled
from tests.laws.settings import between, maybe, one_of

OPTIONS = maybe(
    zero_column=one_of("empty", "dealt", "waits"),
    end=one_of("deck", "target", "colour", "rounds"),
    score=one_of("total", "weakest", "product", "strongest", "first"),
    start_coins=one_of(1, 2, 5, 2**53),
    target=between(10, 120),
    workers=between(0, 4),
    rounds=between(1, 30),
)


def resample(table: Table, witness: Witness, rng: Random) -> list[Event] | None:
    """The log with the rest of the deck shuffled anew."""
    return [_reordered(event, table.state.left, rng) for event in table.log]


def _reordered(event: Event, left: int, rng: Random) -> Event:
    if not isinstance(event, DeckShuffled) or event.order is None:
        return event
    drawn_count = len(event.order) - left
    rest = list(event.order[drawn_count:])
    rng.shuffle(rest)
    return replace(event, order=(*event.order[:drawn_count], *rest))
