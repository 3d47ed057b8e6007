"""Coins and specials."""

import pytest

from tests.games.peeling_the_banana.staged import (
    cells,
    dealt,
    in_reach,
    kinds,
    legal,
    play,
    prompted,
    refused,
    staged,
)


@pytest.mark.parametrize(("card", "coins"), [("coins2#1", 2), ("coins3#1", 3), ("coins4#1", 4)])
def test_r2_a_coin_card_brings_its_coins(card: str, coins: int) -> None:
    table = staged(card)
    assert play(table, "1")[1] == {"type": "coins_gained", "seat": 0, "coins": coins}
    assert table.state.coins == (1 + coins, 2)


def test_r8_a_bite_fills_an_empty_space() -> None:
    table = staged("bite#1")
    assert play(table, "1 @d2")[1] == {
        "type": "piece_placed",
        "seat": 0,
        "card": "bite#1",
        "cells": cells("d2"),
        "filled": cells("d2"),
    }
    assert table.state.boards[0] == ("####", "###o", "##..")


def test_r8_a_bite_needs_an_empty_space_of_the_banana() -> None:
    table = staged("bite#1 domino#1", filled=("a1", ""))
    refused(table, "play bite#1", "target_needed")
    refused(table, "play bite#1 @a1", "not_empty")
    refused(table, "play bite#1 @c3", "off_board")
    refused(table, "play bite#1 @e1", "off_board")
    refused(table, "play bite#1 domino#1", "bad_target")
    refused(table, {"type": "play_card", "card": "bite#1", "placement": {"row": 1, "col": 2}}, "bad_target")
    assert len([text for text in legal(table) if "bite" in text]) == 9


@pytest.mark.parametrize("card", ["coins2#1", "seconds#1", "tumble#1"])
def test_ruling_10_cards_without_a_target_take_none(card: str) -> None:
    table = staged(f"{card} domino#1")
    refused(table, f"play {card} domino#1", "bad_target")
    refused(table, f"play {card} @a1", "bad_target")
    refused(table, {"type": "play_card", "card": card, "placement": {"row": 1, "col": 1}}, "bad_target")


def test_r8_slip_takes_a_shared_card_from_the_opponent() -> None:
    table = staged("slip#1 domino#1", "line3#1")
    assert play(table, "1 domino#1")[1:] == [{"type": "availability_changed", "card": "domino#1", "seats": [0]}]
    assert table.state.deck == ("domino#1",)


def test_ruling_2_slip_takes_a_card_of_the_opponent_alone_out_of_the_game() -> None:
    table = staged("slip#1 domino#1", "line3#1", alone={"line3#1": 1})
    assert play(table, "1 line3#1")[1:] == [{"type": "card_removed", "card": "line3#1"}]
    assert table.state.discard == ("slip#1",) and "line3#1" not in table.state.available


def test_r8_slip_works_in_deck_and_discard_but_not_on_itself_or_ones_own() -> None:
    table = staged("coins2#1 slip#1 domino#1", "line3#1", alone={"domino#1": 0})
    assert [text for text in legal(table) if "slip" in text] == [
        "play slip#1 coins2#1",
        "play slip#1 line3#1",
    ]
    refused(table, "play slip#1", "target_needed")
    refused(table, "play slip#1 @a1", "bad_target")
    for target in ("domino#1", "slip#1", "tee4#1"):
        refused(table, f"play slip#1 {target}", "bad_target")


def test_r8_graft_opens_a_card_of_the_opponent_to_both() -> None:
    table = staged("graft#1 domino#1", "line3#1", alone={"line3#1": 1})
    assert [text for text in legal(table) if "graft" in text] == ["play graft#1 line3#1"]
    refused(table, "play graft#1 domino#1", "bad_target")
    assert play(table, "1 line3#1")[1:] == [{"type": "availability_changed", "card": "line3#1", "seats": [0, 1]}]


def test_r8_regrow_lays_a_card_of_the_discard_on_the_deck() -> None:
    table = staged("regrow#1 domino#1", "line3#1 tee4#1")
    events = play(table, "1 line3#1")
    assert events[1:] == [{"type": "card_regrown", "seat": 0, "card": "line3#1"}]
    assert table.state.deck == ("line3#1", "domino#1")
    assert table.state.discard == ("tee4#1", "regrow#1")


def test_r8_regrow_may_name_a_card_that_this_play_discards() -> None:
    table = staged("coins2#1 coins3#1 regrow#1 domino#1", "line3#1", alone={"coins2#1": 1})
    assert [text for text in legal(table) if "regrow" in text] == [
        "play regrow#1 coins3#1",
        "play regrow#1 line3#1",
    ]
    for target in ("coins2#1", "domino#1", "regrow#1"):
        refused(table, f"play regrow#1 {target}", "bad_target")
    play(table, "play regrow#1 coins3#1")
    assert table.state.deck == ("coins3#1", "domino#1")


@pytest.mark.parametrize("card", ["slip#1", "graft#1", "regrow#1"])
def test_r8_without_a_target_a_special_is_played_for_nothing(card: str) -> None:
    table = staged(f"{card} domino#1", alone={"domino#1": 0})
    assert f"play {card}" in legal(table)
    refused(table, f"play {card} domino#1", "bad_target")
    assert kinds(play(table, f"play {card}")) == ["card_played"]
    assert prompted(table) == (0, ("buy", "end_turn"))


def test_r9_seconds_lets_the_seat_play_another_card() -> None:
    table = staged("coins2#1 seconds#1 coins3#1 coins3#2 coins3#3 coins3#4")
    assert kinds(play(table, "2")) == ["card_played"]
    assert prompted(table) == (0, ("play_card",))
    assert in_reach(table) == ["coins3#1", "coins3#2", "coins3#3"]
    play(table, "1")
    assert prompted(table) == (0, ("buy", "end_turn"))


def test_ruling_9_seconds_after_seconds_brings_a_third_card() -> None:
    table = staged("seconds#1 seconds#2 coins2#1 domino#1")
    play(table, "1", "1", "1")
    assert prompted(table) == (0, ("buy", "end_turn")) and table.state.coins[0] == 3


def test_ruling_3_seconds_with_nothing_in_reach_brings_the_reshuffle() -> None:
    table = staged("seconds#1", "coins2#1")
    play(table, "1")
    assert table.due.dealer
    assert sorted(in_reach(dealt(table))) == ["coins2#1", "seconds#1"]


def test_ruling_3_seconds_with_fewer_cards_than_the_reach_brings_the_reshuffle() -> None:
    table = staged("seconds#1 coins2#1 coins2#2", reshuffle="short")
    play(table, "1")
    assert table.due.dealer
    assert dealt(table).state.deck == ("coins2#1", "coins2#2", "seconds#1")


def test_ruling_3_second_choice_after_a_reshuffle_uses_the_cards_that_are_there() -> None:
    table = dealt(staged("seconds#1 coins2#1", "coins3#1", reshuffle="short"))
    play(table, "1")
    assert in_reach(table) == ["coins2#1", "coins3#1"]


def test_r9_tumble_shuffles_the_deck_too_where_the_reshuffle_does_not() -> None:
    table = staged("tumble#1 coins2#1 coins2#2 coins2#3 coins2#4", "line3#1", reshuffle="short")
    play(table, "1")
    decks = {dealt(table, bytes([seed])).state.deck for seed in range(8)}
    assert len({deck[:4] for deck in decks}) > 1


def test_r12_there_is_only_one_such_reshuffle_in_a_turn() -> None:
    table = staged("seconds#1")
    play(table, "1")
    table = dealt(table)
    play(table, "1")
    assert prompted(table) == (0, ("buy", "end_turn"))


def test_r9_after_tumble_the_dealer_shuffles_everything_before_the_shop_opens() -> None:
    table = staged("coins2#1 tumble#1 domino#1", "line3#1")
    assert kinds(play(table, "2")) == ["card_played"]
    assert table.due.dealer
    table = dealt(table)
    assert sorted(table.state.deck) == ["coins2#1", "domino#1", "line3#1", "tumble#1"]
    assert table.state.discard == ()
    assert prompted(table) == (0, ("buy", "end_turn"))
    assert table.due.prompts[0].turn == "turn:0:1"


def test_ruling_7_a_turn_may_have_the_reshuffle_and_a_tumble() -> None:
    table = staged("seconds#1", "tumble#1", alone={"seconds#1": 0})
    play(table, "1")
    table = dealt(table)
    play(table, "play tumble#1")
    assert table.due.dealer
    assert prompted(dealt(table)) == (0, ("buy", "end_turn"))
