"""The notation that people write and the sentences that they read."""

import pytest

from games.kernel import Illegal, Resign, Table
from tests.recipe.sealed_bids import GAME
from tests.recipe.sealed_bids.commands import Bid
from tests.recipe.sealed_bids.events import BidSubmitted


@pytest.mark.parametrize("text", ["bid 5", "5", " BID  5 "])
def test_a_bid_is_read_however_it_is_written(text: str) -> None:
    assert GAME.notation.parse(Table(GAME).state, 0, text) == Bid(5)


def test_resign_is_parsed() -> None:
    assert GAME.notation.parse(Table(GAME).state, 0, "Resign") == Resign()


@pytest.mark.parametrize("text", ["", "bid", "bid -1", "bid 5 5", "bid ٥", "1000", "5.0"])
def test_anything_else_is_malformed(text: str) -> None:
    with pytest.raises(Illegal) as refused:
        GAME.notation.parse(Table(GAME).state, 0, text)
    assert refused.value.code == "malformed" and "`bid 5`" in refused.value.message


def test_bid_is_worded_in_full_only_for_those_who_know_it() -> None:
    sentences = [GAME.notation.sentence(BidSubmitted(0, coins), ("Ada", "Ben")) for coins in (5, None)]
    assert sentences == ["Ada seals a bid of 5.", "Ada seals a hidden bid."]
