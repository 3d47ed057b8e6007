"""Submissions that a witness can't know change: those still secret, and those replaced before the reveal."""

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
from tests.laws.resampling.submissions import resample_submissions

SUBMISSIONS = (BendingSubmitted, SpellSubmitted, SpellsOffered)
REVEALS = (RulesBent, SpellsRevealed, OffersRevealed)


def resample(table: Table, witness: Witness, rng: Random) -> list[Event] | None:
    """The log with each of these submissions swapped for another that was legal when it was made."""
    return resample_submissions(table, witness, rng, SUBMISSIONS, REVEALS)
