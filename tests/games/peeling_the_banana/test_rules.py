"""The start, the turn, the reach, the pieces, the end."""

from collections import Counter

import pytest

from games.kernel import HOST, SPECTATOR, Chance, Table, to_json
from games.peeling_the_banana import GAME
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


def fresh(**options: object) -> Table:
    table = Table(GAME, options, chance=Chance(b"start"))
    table.settle()
    return table


def test_r1_the_banana_has_forty_spaces() -> None:
    table = Table(GAME)
    assert [len(row) for row in table.options.board] == [12] * 8
    assert "".join(table.options.board).count("#") == 40


def test_r2_the_deck_has_thirty_cards_open_to_all_and_available_to_both() -> None:
    table = fresh()
    (shuffled,) = table.events(SPECTATOR)
    assert shuffled["type"] == "deck_shuffled" and len(shuffled["order"]) == 30
    assert Counter(card.split("#")[0] for card in shuffled["order"]) == table.options.deck
    assert set(table.state.available.values()) == {(0, 1)}


def test_r3_the_log_begins_with_the_dealers_shuffle() -> None:
    table = Table(GAME)
    assert table.due.dealer and not table.due.prompts


@pytest.mark.parametrize("starter", [0, 1])
def test_r3_the_priority_seat_says_who_starts(starter: int) -> None:
    table = Table(GAME, priority=1, chance=Chance(b"start"))
    table.settle()
    assert prompted(table) == (1, ("choose_first",))
    assert table.due.prompts[0].clock == "choice"
    assert play(table, f"first {starter}") == [
        {"type": "first_chosen", "seat": starter},
        {"type": "turn_started", "seat": starter, "turn": 1, "coins": 1},
    ]
    assert prompted(table) == (starter, ("play_card",))


def test_r3_the_other_seat_begins_with_two_coins() -> None:
    table = staged("coins2#1 coins2#2")
    events = play(table, "1", "end")
    assert events[-1] == {"type": "turn_started", "seat": 1, "turn": 1, "coins": 3}


def test_r4_a_turn_is_a_card_then_the_shop_then_the_other_seats_turn() -> None:
    table = staged("coins2#1 coins3#1 coins4#1")
    assert prompted(table) == (0, ("play_card",))
    assert play(table, "1") == [
        {"type": "card_played", "seat": 0, "card": "coins2#1", "discarded": ["coins2#1"]},
        {"type": "coins_gained", "seat": 0, "coins": 2},
    ]
    assert prompted(table) == (0, ("buy", "end_turn"))
    assert kinds(play(table, "end")) == ["turn_finished", "turn_started"]
    assert prompted(table) == (1, ("play_card",))


def test_r4_one_clock_run_covers_card_and_shop() -> None:
    table = staged("coins2#1 coins3#1")
    before = table.due.prompts[0]
    play(table, "1")
    after = table.due.prompts[0]
    assert (before.turn, before.clock) == (after.turn, after.clock) == ("turn:0:1", "turn")


@pytest.mark.parametrize("text", ["buy domino", "end", "first 0"])
def test_r4_before_a_card_is_played_only_a_card_can_be_played(text: str) -> None:
    refused(staged("coins2#1"), text, "not_now")


def test_r4_the_shop_itself_is_closed_before_a_card_is_played() -> None:
    table = staged("coins2#1")
    for text in ("buy domino", "end"):
        command = GAME.notation.parse(table.state, 0, text)
        with pytest.raises(Exception, match="not_in_shop"):
            tuple(GAME.decide(table.state, 0, command, Chance(b"x")))


def test_r4_the_other_seat_waits() -> None:
    refused(staged("coins2#1"), "play coins2#1", "not_your_turn", seat=1)


def test_r5_the_first_three_cards_are_in_reach() -> None:
    table = staged("coins2#1 coins2#2 coins2#3 coins2#4")
    assert in_reach(table) == ["coins2#1", "coins2#2", "coins2#3"]
    refused(table, "play coins2#4", "not_in_reach")
    refused(table, "play nothing#1", "not_in_reach")


def test_r5_cards_of_the_other_seat_are_passed_by() -> None:
    table = staged("coins2#1 coins2#2 coins2#3 coins2#4", alone={"coins2#1": 1, "coins2#3": 0})
    assert in_reach(table) == ["coins2#2", "coins2#3", "coins2#4"]
    refused(table, "play coins2#1", "not_in_reach")


def test_r5_the_cards_above_are_discarded_first_those_passed_by_too() -> None:
    table = staged("coins2#1 coins2#2 coins2#3 coins2#4", "tumble#1", alone={"coins2#1": 1})
    assert play(table, "2")[0]["discarded"] == ["coins2#1", "coins2#2", "coins2#3"]
    assert table.state.deck == ("coins2#4",)
    assert table.state.discard == ("tumble#1", "coins2#1", "coins2#2", "coins2#3")


def test_r6_a_piece_covers_its_spaces_and_scores_the_empty_ones() -> None:
    table = staged("line3#1 coins2#1", filled=("b1", ""))
    assert play(table, "1 @a1")[1:] == [
        {
            "type": "piece_placed",
            "seat": 0,
            "card": "line3#1",
            "cells": cells("a1 b1 c1"),
            "filled": cells("a1 c1"),
        }
    ]
    assert table.state.boards == (("ooo#", "####", "##.."), ("####", "####", "##.."))


def test_r6_a_piece_may_cover_filled_spaces_only() -> None:
    table = staged("domino#1 coins2#1", filled=("a1 b1", ""))
    assert play(table, "1 @a1")[1]["filled"] == []


def test_r6_the_mirror_comes_before_the_turn() -> None:
    table = staged("ell4#1", board=["####"] * 4)
    assert play(table, "1 @a1 r90 f")[1]["cells"] == cells("a1 a2 b2 c2")


@pytest.mark.parametrize(
    ("how", "covered"),
    [
        ("@a1", "a1 b1 c1 b2"),
        ("@a1 r90", "b1 a2 b2 b3"),
        ("@a1 r180", "b1 a2 b2 c2"),
        ("@a1 r270", "a1 a2 b2 a3"),
        ("@b2 r270", "b2 b3 c3 b4"),
    ],
)
def test_r6_turns_are_clockwise_and_the_box_begins_at_the_space(how: str, covered: str) -> None:
    table = staged("tee4#1", board=["####"] * 4)
    assert play(table, f"1 {how}")[1]["cells"] == cells(covered)


@pytest.mark.parametrize("how", ["@c1 r90", "@c2", "@d1", "@a9", "@z1", "@d3", "@a3 r90"])
def test_r6_no_space_of_a_piece_leaves_the_banana(how: str) -> None:
    refused(staged("square4#1 line3#1"), f"2 {how}", "off_board")


@pytest.mark.parametrize("row", [0, -1, 2**70])
def test_r6_rows_that_are_none_are_off_the_board(row: int) -> None:
    command = {"type": "play_card", "card": "domino#1", "placement": {"row": row, "col": 1}}
    refused(staged("domino#1"), command, "off_board")


def test_r6_a_piece_needs_a_placement_and_takes_no_target() -> None:
    table = staged("domino#1 domino#2")
    refused(table, "play domino#1", "target_needed")
    refused(table, "play domino#1 @a1 domino#2", "bad_target")


def test_r7_each_set_of_spaces_is_listed_once_the_plainest_way() -> None:
    assert legal(staged("line3#1")) == [
        "play line3#1 @a1", "play line3#1 @b1", "play line3#1 @a2", "play line3#1 @b2",
        "play line3#1 @a1 r90", "play line3#1 @b1 r90",
    ]  # fmt: skip


def test_r7_mirrored_ways_are_listed_where_no_turn_gives_them() -> None:
    ways = legal(staged("skew4#1", board=["###", "###"]))
    assert ways == ["play skew4#1 @a1", "play skew4#1 @a1 f"]


def test_r7_other_ways_to_lie_on_the_same_spaces_are_accepted() -> None:
    for how in ("@a1 r90", "@a1 r270", "@a1 r90 f", "@a1 r270 f"):
        assert play(staged("domino#1"), f"1 {how}")[1]["cells"] == cells("a1 a2")


def test_r7_a_piece_that_fits_nowhere_is_played_for_nothing() -> None:
    table = staged("line4#1 domino#1", board=["##"])
    assert "play line4#1" in legal(table)
    refused(table, "play line4#1 @a1", "off_board")
    assert kinds(play(table, "play line4#1")) == ["card_played"]


def test_r12_short_discard_is_shuffled_below_the_deck_for_a_reach_of_three() -> None:
    table = staged("domino#1 line3#1 bite#1", "coins2#1 coins3#1", alone={"line3#1": 1}, reshuffle="short")
    assert table.due.dealer and not table.due.prompts
    refused(table, {"type": "end_turn"}, "dealer_due", seat=0)
    after = dealt(table)
    (event,) = after.events(HOST, after=table.version)
    assert event["type"] == "deck_reshuffled"
    assert event["order"][:3] == ["domino#1", "line3#1", "bite#1"], "what is left lies on top, in its order"
    assert sorted(event["order"][3:]) == ["coins2#1", "coins3#1"]
    assert after.state.discard == () and after.due.prompts[0].turn == "turn:0:1"
    assert in_reach(after) == ["domino#1", "bite#1", event["order"][3]]


def test_r12_the_order_of_the_discard_is_drawn() -> None:
    table = staged("domino#1 domino#2", "coins2#1 coins2#2 coins2#3", reshuffle="short")
    ends = {dealt(table, bytes([seed])).state.deck[2:] for seed in range(60)}
    assert len(ends) == 6, "each of the 3! orders"


def test_r12_three_cards_in_reach_are_enough() -> None:
    table = staged("domino#1 line3#1 bite#1", "coins2#1", reshuffle="short")
    assert in_reach(table) == ["domino#1", "line3#1", "bite#1"]


def test_r12_upgraded_reach_asks_for_as_many_cards_more() -> None:
    cards, discard = "domino#1 line3#1 bite#1 bite#2", "coins2#1"
    assert in_reach(staged(cards, discard, upgrades=["reach"], reshuffle="short")) == cards.split()
    table = staged(cards, discard, upgrades=["reach", "reach"], reshuffle="short")
    assert table.due.dealer
    assert in_reach(dealt(table)) == [*cards.split(), "coins2#1"]


def test_r12_without_a_discard_the_seat_chooses_among_what_is_there() -> None:
    assert in_reach(staged("domino#1", reshuffle="short")) == ["domino#1"]
    table = staged("domino#1", alone={"domino#1": 1}, reshuffle="short")
    assert prompted(table) == (0, ("buy", "end_turn")), "with nothing in reach the shop opens"


def test_r12_after_a_short_reshuffle_that_does_not_help_the_shop_opens() -> None:
    table = staged("domino#1", "bite#1", alone={"domino#1": 1, "bite#1": 1}, reshuffle="short")
    assert table.due.dealer, "it is due even if no discarded card is for the seat (ruling 14)"
    assert prompted(dealt(table)) == (0, ("buy", "end_turn"))


def test_r12_other_seat_may_have_its_reshuffle_in_the_turn_after() -> None:
    table = dealt(staged("coins2#1", "coins2#2", reshuffle="short"))
    play(table, "1")
    assert kinds(play(table, "end")) == ["turn_finished", "turn_started"]
    assert table.due.dealer
    assert len(in_reach(dealt(table))) == 2


def test_ruling_14_reshuffle_is_due_even_if_no_discarded_card_is_for_the_seat() -> None:
    table = staged("domino#1", "bite#1", alone={"bite#1": 1}, reshuffle="short")
    assert table.due.dealer
    assert dealt(table).state.deck == ("domino#1", "bite#1")
    assert in_reach(dealt(table)) == ["domino#1"]


def test_ruling_15_own_cards_start_available_to_one_seat() -> None:
    options = {"deck": {"slip": 1}, "own_cards": [{"slip": 1, "bite": 1}, {"slip": 2, "graft": 1}]}
    table = Table(GAME, options, chance=Chance(b"own cards"))
    (shuffled,) = table.settle()
    assert vars_of(shuffled) == {"type": "deck_shuffled"}
    assert sorted(table.state.deck) == ["bite#1", "graft#1", "slip#1", "slip#2", "slip#3", "slip#4"]
    assert table.state.available == {
        "slip#1": (0, 1), "slip#2": (0,), "slip#3": (1,), "slip#4": (1,), "bite#1": (0,), "graft#1": (1,),
    }  # fmt: skip
    assert table.state.issued == {"slip": 4, "bite": 1, "graft": 1}


@pytest.mark.parametrize("starter", [0, 1])
def test_ruling_16_starting_coins_go_by_who_starts_and_each_turn_brings_the_income(starter: int) -> None:
    table = Table(GAME, {"starting_coins": [3, 7], "income": 4}, chance=Chance(b"coins"))
    table.settle()
    _, began = table.act(0, {"type": "choose_first", "seat": starter})
    assert to_json(began) == {"type": "turn_started", "seat": starter, "turn": 1, "coins": 3 + 4}
    assert table.state.coins[1 - starter] == 7


def test_ruling_13_dealer_reshuffles_an_empty_reach_and_the_turn_continues() -> None:
    table = staged("", "coins2#1 domino#1", alone={"domino#1": 1})
    assert table.due.dealer and not table.due.prompts
    refused(table, {"type": "end_turn"}, "dealer_due", seat=0)
    after = dealt(table)
    (event,) = after.events(HOST, after=table.version)
    assert event["type"] == "deck_reshuffled" and sorted(event["order"]) == ["coins2#1", "domino#1"]
    assert after.state.discard == () and after.due.prompts[0].turn == "turn:0:1"
    assert in_reach(after) == ["coins2#1"]


def test_ruling_13_cards_of_the_other_seat_left_in_the_deck_are_shuffled_in() -> None:
    table = staged("domino#1", "coins2#1", alone={"domino#1": 1})
    assert sorted(dealt(table).state.deck) == ["coins2#1", "domino#1"]


def test_ruling_13_if_the_reshuffle_does_not_help_the_shop_opens() -> None:
    table = staged("domino#1", alone={"domino#1": 1})
    assert table.due.dealer
    assert prompted(dealt(table)) == (0, ("buy", "end_turn"))


def test_r13_a_full_sheet_ends_the_match_at_once() -> None:
    table = staged("domino#1", board=["##"])
    play(table, "1 @a1")
    assert table.outcome is not None and table.outcome.winners == (0,)
    assert table.outcome.reason == "played" and table.outcome.score == {0: 2, 1: -2}
    assert not table.due.dealer and not table.due.prompts
    refused(table, {"type": "end_turn"}, "match_over", seat=0)


def test_r13_the_match_ends_when_both_have_had_their_turns() -> None:
    table = staged("coins2#1 coins2#2 coins2#3 coins2#4 domino#1", turns=2)
    play(table, "1", "end", "1", "end", "1", "end", "1")
    assert kinds(play(table, "end")) == ["turn_finished"]
    assert table.outcome is not None and table.outcome.reason == "played"


def test_r13_a_match_has_25_turns_for_each_seat() -> None:
    table = staged("coins2#1", board=["#" * 20] * 20)
    for _ in range(50):
        assert table.outcome is None
        while table.due.dealer:
            table = dealt(table)
        play(table, "1", "end")
    assert table.outcome is not None and table.state.turns == (25, 25)


def test_r14_points_are_filled_spaces_less_empty_ones() -> None:
    table = staged("coins2#1 coins2#2", filled=("a1", "a1 b1 c1"), turns=1)
    play(table, "1", "end", "1", "end")
    assert table.outcome is not None
    assert table.outcome.score == {0: 1 - 9, 1: 3 - 7}
    assert table.outcome.ranking == ((1,), (0,))


def test_r14_the_starter_wins_with_more_points() -> None:
    table = staged("domino#1 coins2#2", turns=1)
    play(table, "1 @a1", "end", "1", "end")
    assert table.outcome is not None and table.outcome.winners == (0,)


def test_r14_with_equal_points_the_seat_that_did_not_start_wins() -> None:
    table = staged("domino#1 domino#2", turns=1)
    play(table, "1 @a1", "end", "1 @a2", "end")
    assert table.outcome is not None and table.outcome.winners == (1,)


def test_ruling_13_with_one_card_in_reach_the_seat_plays_that_one() -> None:
    assert in_reach(staged("coins2#1", "domino#1", reshuffle="empty")) == ["coins2#1"]


def test_ruling_4_a_full_sheet_ends_the_match_before_the_shop() -> None:
    table = staged("bite#1", filled=("a1 b1 c1 d1 a2 b2 c2 d2 a3", ""), coins=50)
    assert kinds(play(table, "1 @b3")) == ["card_played", "piece_placed"]
    assert table.outcome is not None and table.state.turns == (1, 0)


def test_ruling_5_every_witness_knows_all() -> None:
    table = staged("coins2#1 domino#1")
    assert table.witness(0) == table.witness(1) == table.witness(SPECTATOR) == table.witness(HOST)


def test_ruling_11_resignation_counts_the_sheets_as_they_are() -> None:
    table = staged("coins2#1", filled=("a1", ""))
    table.act(0, {"type": "resign"})
    assert table.outcome is not None
    assert (table.outcome.winners, table.outcome.reason) == ((1,), "resigned")
    assert table.outcome.score == {0: -8, 1: -10}


def test_resigning_is_legal_while_the_dealer_is_due() -> None:
    table = staged("")
    assert table.due.dealer
    table.act(1, {"type": "resign"})
    assert table.outcome is not None and table.outcome.winners == (0,)


def test_the_flag_on_a_turn_loses_the_match() -> None:
    table = staged("coins2#1")
    assert kinds(map(vars_of, table.flag(0))) == ["flag_fallen"]
    assert table.outcome is not None
    assert (table.outcome.winners, table.outcome.reason) == ((1,), "flag")


def test_at_the_flag_on_the_choice_the_dealer_chooses_who_starts() -> None:
    starters = set()
    for seed in range(20):
        table = Table(GAME, chance=Chance(bytes([seed])))
        table.settle()
        events = table.flag(0)
        assert kinds(map(vars_of, events)) == ["flag_fallen", "first_chosen", "turn_started"]
        assert table.outcome is None
        starters.add(table.state.starter)
    assert starters == {0, 1}


def vars_of(event: object) -> dict[str, str]:
    return {"type": type(event).__struct_config__.tag}  # type: ignore[attr-defined]
