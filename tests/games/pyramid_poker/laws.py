"""Over which options the laws are run, and other truths.

Bricks that a witness can't know change places: those of others that still stand, and the bag's.
"""

from random import Random

from msgspec.structs import replace

from games.kernel import Event, Table, Witness
from games.pyramid_poker.events import BrickDealt, BrickDrawn
from games.pyramid_poker.pieces import BRICKS
from tests.laws.settings import between, maybe

OPTIONS = maybe(base=between(8, 12))


def resample(table: Table, witness: Witness, rng: Random) -> list[Event] | None:
    """The log with the hidden bricks, dealt or not, dealt out anew."""
    drawn_bricks = {event.brick for event in table.log if isinstance(event, BrickDrawn)}
    own = {event.brick for event in table.log if isinstance(event, BrickDealt) and event.seat == witness}
    hidden = [brick for brick in BRICKS if brick not in drawn_bricks | own]
    rng.shuffle(hidden)
    return [
        replace(event, brick=hidden.pop())
        if isinstance(event, BrickDealt) and event.brick not in drawn_bricks | own
        else event
        for event in table.log
    ]
