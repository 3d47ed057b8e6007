"""Over which options the laws are run, and other truths: hidden bids change."""

from random import Random

from games.kernel import Event, Table, Witness
from tests.laws.settings import between, maybe
from tests.laws.submissions import resample_submissions
from tests.recipe.sealed_bids.events import BidsOpened, BidSubmitted

OPTIONS = maybe(coins=between(1, 30))


def resample(table: Table, witness: Witness, rng: Random) -> list[Event] | None:
    """The log with other hidden bids."""
    return resample_submissions(table, witness, rng, (BidSubmitted,), (BidsOpened,))
