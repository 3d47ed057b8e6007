"""Every rule, by its number."""

import pytest

from games.kernel import SPECTATOR, Event, FlagFallen, Illegal, Resigned, Table
from tests.games.sealed_bids.staged import after, all_sold, sold
from tests.recipe.sealed_bids import GAME
from tests.recipe.sealed_bids.events import BidsOpened, BidSubmitted, LotDrawn, LotSold
from tests.recipe.sealed_bids.pieces import LOTS
from tests.recipe.sealed_bids.state import coins_of, points_of


def bid(table: Table, seat: int, coins: int) -> tuple[Event, ...]:
    return table.act(seat, {"type": "bid", "coins": coins})


def refusal(table: Table, seat: int, coins: int) -> str:
    version = table.version
    with pytest.raises(Illegal) as refused:
        bid(table, seat, coins)
    assert table.version == version
    return refused.value.code


def test_r1_each_purse_begins_with_the_coins_of_the_options() -> None:
    state = after(coins=7).state
    assert [(coins_of(state, seat), points_of(state, seat)) for seat in (0, 1)] == [(7, 0), (7, 0)]


@pytest.mark.parametrize("coins", [0, -1, 31])
def test_r1_a_purse_of_another_size_is_refused(coins: int) -> None:
    with pytest.raises(Illegal) as refused:
        Table(GAME, {"coins": coins})
    assert (refused.value.code, refused.value.message) == ("bad_options", "A purse holds 1 to 30 coins.")


def test_r2_the_dealer_draws_from_the_lots_that_are_left() -> None:
    drawn = set()
    for seed in range(40):
        table = after(*sold(3, (1, 0)), *sold(7, (0, 1)), seed=b"%d" % seed)
        (event,) = table.deal()
        drawn.add(event.lot)
    assert drawn == set(LOTS) - {3, 7}


def test_r3_both_seats_are_asked_at_once_and_each_bid_is_its_own_secret() -> None:
    table = after(LotDrawn(5))
    assert [prompt.seat for prompt in table.due.prompts] == [0, 1]
    assert bid(table, 1, 4) == (BidSubmitted(1, 4),)
    assert [table.witness(who).bids[1] for who in (0, 1, SPECTATOR)] == ["hidden", 4, "hidden"]
    assert [prompt.seat for prompt in table.due.prompts] == [0]


def test_r3_a_bid_is_what_the_purse_holds_at_the_most() -> None:
    table = after(*sold(2, (15, 3)), LotDrawn(5))
    assert {refusal(table, 0, coins) for coins in (6, -1)} == {"no_such_bid"}
    assert bid(table, 0, 5) == (BidSubmitted(0, 5),)
    assert bid(table, 1, 20)[0] == BidSubmitted(1, 20)


def test_r3_a_bid_may_be_replaced_until_the_other_seat_has_bid() -> None:
    table = after(LotDrawn(5), BidSubmitted(0, 9))
    assert bid(table, 0, 2) == (BidSubmitted(0, 2),)
    assert BidsOpened((2, 3)) in bid(table, 1, 3)
    assert table.due.dealer


def test_r4_the_higher_bid_pays_and_takes_the_lot_and_the_lower_pays_nothing() -> None:
    table = after(LotDrawn(5), BidSubmitted(0, 4))
    assert bid(table, 1, 6) == (BidSubmitted(1, 6), BidsOpened((4, 6)), LotSold(1, 5, 6))
    assert [coins_of(table.state, seat) for seat in (0, 1)] == [20, 14]
    assert [points_of(table.state, seat) for seat in (0, 1)] == [0, 5]


@pytest.mark.parametrize("coins", [0, 8])
def test_r5_chance_chooses_between_equal_bids(coins: int) -> None:
    winners = set()
    for seed in range(20):
        table = after(LotDrawn(5), BidSubmitted(1, coins), seed=b"%d" % seed)
        _, opened, broken, taken = bid(table, 0, coins)
        assert opened == BidsOpened((coins, coins)) and taken == LotSold(broken.seat, 5, coins)
        winners.add(broken.seat)
    assert winners == {0, 1}


def test_r6_more_points_win() -> None:
    table = all_sold(*((lot, (1, 0) if lot == 7 else (0, 1)) for lot in LOTS))
    assert table.outcome.score == {0: 7, 1: 21}
    assert (table.outcome.winners, table.outcome.reason) == ((1,), "played")


def test_r6_more_coins_win_at_equal_points() -> None:
    """Seat 0 takes three lots for a coin each, seat 1 four."""
    table = all_sold(*((lot, (1, 0) if lot in (7, 6, 1) else (0, 1)) for lot in LOTS), priority=1)
    assert table.outcome.score == {0: 14, 1: 14}
    assert table.outcome.winners == (0,)


@pytest.mark.parametrize("priority", [0, 1])
def test_r6_priority_seat_wins_at_equal_coins(priority: int) -> None:
    lots = [(lot, (1, 0) if lot in (7, 6, 1) else (0, 1)) for lot in LOTS if lot != 2]
    for_nothing = sold(2, (0, 0), seat=1)
    table = after(*for_nothing, *(event for lot, bids in lots for event in sold(lot, bids)), priority=priority)
    assert [coins_of(table.state, seat) for seat in (0, 1)] == [17, 17]
    assert table.outcome.winners == (priority,)


def test_r7_the_clock_bids_nothing_and_the_other_seat_has_its_time() -> None:
    table = after(LotDrawn(5))
    assert table.flag(0) == (FlagFallen(0, "bid"), BidSubmitted(0, 0))
    assert [prompt.seat for prompt in table.due.prompts] == [1]
    assert bid(table, 0, 3) == (BidSubmitted(0, 3),)


def test_r7_the_second_flag_opens_the_bids() -> None:
    table = after(LotDrawn(5), BidSubmitted(1, 2))
    assert table.flag(0) == (FlagFallen(0, "bid"), BidSubmitted(0, 0), BidsOpened((0, 2)), LotSold(1, 5, 2))


def test_r8_resigning_seat_loses() -> None:
    table = after(*sold(7, (5, 0)), LotDrawn(1))
    assert table.act(0, {"type": "resign"}) == (Resigned(0),)
    assert (table.outcome.winners, table.outcome.reason) == ((1,), "resigned")
