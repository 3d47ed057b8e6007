"""The shop: cards, upgrades and prices."""

import pytest

from games.kernel import Table
from tests.games.peeling_the_banana.staged import kinds, legal, play, prompted, refused, staged


def shopping(discard: str = "", coins: int = 20, deck: str = "", **more: object) -> Table:
    """Seat 0 in the shop, having played coins2#1; the deck is left with what is given."""
    table = staged(f"coins2#1 {deck} coins4#1 coins4#2 coins4#3", discard, coins=coins - 2, **more)  # type: ignore[arg-type]
    play(table, "play coins2#1")
    assert prompted(table) == (0, ("buy", "end_turn"))
    return table


def test_r10_a_kind_that_is_nowhere_joins_the_discard_for_the_buyer_alone() -> None:
    table = shopping()
    assert play(table, "buy domino") == [
        {"type": "bought", "seat": 0, "item": "domino", "price": 2, "card": "domino#1"}
    ]
    assert table.state.discard == ("coins2#1", "domino#1")
    assert table.state.available["domino#1"] == (0,)
    assert table.state.coins == (18, 2)


@pytest.mark.parametrize("alone", [{}, {"line3#2": 1}, {"line3#1": 1, "line3#2": 0}])
def test_r10_a_kind_that_the_buyer_has_already_joins_anew(alone: dict[str, int]) -> None:
    table = shopping("line3#1", deck="line3#2", alone=alone)
    assert play(table, "buy line3") == [{"type": "bought", "seat": 0, "item": "line3", "price": 3, "card": "line3#3"}]
    assert table.state.available["line3#3"] == (0,)


def test_r10_latest_discarded_card_of_the_opponent_is_shared() -> None:
    alone = {"line3#1": 1, "line3#2": 1, "line3#3": 1}
    table = shopping("line3#1 line3#2", deck="line3#3", alone=alone)
    assert play(table, "buy line3") == [
        {"type": "bought", "seat": 0, "item": "line3", "price": 3, "card": "line3#2"},
        {"type": "availability_changed", "card": "line3#2", "seats": [0, 1]},
    ]
    assert table.state.discard == ("line3#1", "line3#2", "coins2#1")


def test_r10_else_the_lowest_in_the_deck_is_shared() -> None:
    table = shopping(deck="line3#1 line3#2", alone={"line3#1": 1, "line3#2": 1})
    assert play(table, "buy line3")[1]["card"] == "line3#2"
    assert play(table, "buy line3")[0]["card"] == "line3#3"


def test_r10_any_number_of_purchases_in_one_visit() -> None:
    table = shopping()
    play(table, "buy domino", "buy domino", "buy coins3")
    assert table.state.discard[-3:] == ("domino#1", "domino#2", "coins3#1")
    assert kinds(play(table, "end")) == ["turn_finished", "turn_started"]


def test_ruling_8_numbers_of_removed_cards_do_not_come_back() -> None:
    table = staged("slip#1", "domino#1 domino#2", alone={"domino#2": 1}, coins=20)
    play(table, "1 domino#2")
    assert play(table, "buy domino")[0]["card"] == "domino#3"


def test_r10_a_purchase_needs_its_price() -> None:
    table = shopping(coins=3)
    refused(table, "buy ell4", "too_dear")
    assert legal(table) == [
        "buy domino",
        "buy line3",
        "buy corner3",
        "buy coins3",
        "buy slip",
        "buy reach",
        "end",
    ]


@pytest.mark.parametrize("item", ["pent_p", "income2", "", "Domino"])
def test_r10_the_shop_sells_what_it_lists(item: str) -> None:
    refused(shopping(), {"type": "buy", "item": item}, "not_sold")


def test_r10_an_empty_shop_sells_nothing() -> None:
    table = shopping(shop={})
    assert legal(table) == ["end"]
    refused(table, "buy domino", "not_sold")


def test_r11_income_adds_a_coin_to_each_of_ones_turns() -> None:
    table = shopping(shop={"income": 1}, coins=3)
    assert play(table, "buy income") == [{"type": "bought", "seat": 0, "item": "income", "price": 1}]
    play(table, "buy income", "end", "play coins4#1")
    assert play(table, "end")[-1] == {"type": "turn_started", "seat": 0, "turn": 2, "coins": 1 + 3}


def test_r11_reach_lets_a_seat_choose_among_one_card_more() -> None:
    cards = "coins2#1 coins2#2 coins2#3 coins2#4 coins2#5 coins2#6"
    assert len(legal(staged(cards, upgrades=["reach"]))) == 4
    assert len(legal(staged(cards, upgrades=["reach", "reach"]))) == 5


@pytest.mark.parametrize(("upgrade", "most"), [("income", 2), ("reach", 2), ("haggle", 1)])
def test_r11_an_upgrade_is_sold_out_when_held_as_often_as_it_may_be(upgrade: str, most: int) -> None:
    table = shopping()
    for _ in range(most):
        play(table, f"buy {upgrade}")
    refused(table, f"buy {upgrade}", "sold_out")
    assert f"buy {upgrade}" not in legal(table)


def test_r11_haggling_counts_from_the_next_purchase() -> None:
    table = shopping()
    assert [play(table, f"buy {item}")[0]["price"] for item in ("domino", "haggle", "domino", "reach")] == [
        2,
        6,
        1,
        2,
    ]


def test_r11_haggling_never_makes_a_price_less_than_one() -> None:
    table = shopping(shop={"haggle": 1, "domino": 1})
    play(table, "buy haggle")
    assert play(table, "buy domino")[0]["price"] == 1


def test_r11_upgrades_are_each_seats_own() -> None:
    table = shopping()
    play(table, "buy haggle", "end", "play coins4#1")
    assert play(table, "buy domino")[0]["price"] == 2
