"""Over which options the laws are run, and other truths.

Submissions that a witness can't know change: those still secret, and those replaced before the reveal.
"""

from random import Random

from games.kernel import Event, Table, Witness
from games.reality_benders.events import (
    BendingSubmitted,
    OffersRevealed,
    RulesBent,
    SpellsOffered,
    SpellsRevealed,
    SpellSubmitted,
)
from games.reality_benders.pieces import RULES
from tests.laws.settings import between, maybe, one_of, some_of
from tests.laws.submissions import resample_submissions

_ITEMS = some_of(["bonus", "break", "bridge"])
OPTIONS = maybe(
    rules=some_of(RULES),
    rules_each=between(1, 2),
    items=_ITEMS,
    seat_items=lambda rng: [_ITEMS(rng), _ITEMS(rng)],
    tie_trash_phase=between(1, 20),
    tie_trash_phase_first=between(1, 34),
    max_bouts=between(1, 6),
    hands=one_of(
        [list("ABC")], [list("IIIF")], [list("AABBI"), list("CDEFGHI")], [["G"], list("HI")], [list("ACFGI" * 3)]
    ),
)
SUBMISSIONS = (BendingSubmitted, SpellSubmitted, SpellsOffered)
REVEALS = (RulesBent, SpellsRevealed, OffersRevealed)


def resample(table: Table, witness: Witness, rng: Random) -> list[Event] | None:
    """The log with each of these submissions swapped for another that was legal when it was made."""
    return resample_submissions(table, witness, rng, SUBMISSIONS, REVEALS)
