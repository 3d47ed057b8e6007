"""A turn: the card, the worker, the payout."""

from collections import Counter

import pytest

from games.kernel import HOST, SPECTATOR, Chance, Table
from games.pentagram import GAME
from games.pentagram.pieces import COLOURS, DECK
from tests.games.pentagram.stacked import (
    drawn,
    hired,
    home,
    paid,
    place,
    placed,
    play,
    refusal,
    table_with,
)


def test_r1_each_ordered_pair_has_two_positive_cards_and_a_negative_one() -> None:
    pairs = [(a, b) for a in COLOURS for b in COLOURS if a != b]
    expected = Counter({f"{a}>{b}+": 2 for a, b in pairs}) + Counter({f"{a}>{b}-": 1 for a, b in pairs})
    assert Counter(DECK) == expected
    assert len(DECK) == 60


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_r2_the_dealer_shuffles_and_the_priority_seat_draws(seats: int) -> None:
    table = Table(GAME, {}, seats, priority=1, chance=Chance(seed=b"opening"))
    assert table.due.dealer and not table.due.prompts
    table.settle()
    shuffled, first = table.events(HOST)
    assert shuffled["type"] == "deck_shuffled" and Counter(shuffled["order"]) == Counter(DECK)
    assert first == drawn(1, shuffled["order"][0])
    assert [prompt.seat for prompt in table.due.prompts] == [1]


def test_r2_only_the_host_knows_the_order_of_the_deck() -> None:
    table = Table(GAME, chance=Chance(seed=b"opening"))
    table.settle()
    for witness in (0, 1, SPECTATOR):
        assert table.events(witness)[0]["order"] is None
        assert table.witness(witness).deck is None
        assert table.witness(witness).left == 59


def test_r3_turns_go_round_from_the_priority_seat() -> None:
    table = table_with(seats=3, priority=1)
    seats = []
    for space in (4, 3, 2, 1):
        seats.append(table.due.prompts[0].seat)
        play(table, f"O{space}")
    assert seats == [1, 2, 0, 1]


def test_r3_each_turn_has_its_own_key_on_the_turn_clock() -> None:
    table = table_with()
    (first,) = table.due.prompts
    play(table, "O4")
    (second,) = table.due.prompts
    assert (first.commands, first.clock) == (("place",), "turn")
    assert first.turn != second.turn


def test_r4_a_card_with_a_gap_to_its_right_stays() -> None:
    table = table_with("orange>blue+", "blue>black-")
    assert play(table, "O3") == [placed(0, "orange", 3), drawn(1, "blue>black-")]
    assert table.state.cards[0] == (None, None, None, "orange>blue+", None)


def test_r4_a_space_is_4_to_0() -> None:
    table = table_with()
    for space in (5, -1, 2**70):
        assert refusal(table, 0, place("blue", space)) == "no_such_space"


def test_r4_a_card_goes_on_an_empty_space() -> None:
    table = table_with()
    play(table, "O3")
    assert refusal(table, 1, place("orange", 3)) == "not_empty"


def test_r4_a_colour_that_is_none_of_the_five_is_malformed() -> None:
    assert refusal(table_with(), 0, place("green", 3)) == "malformed"


def test_r4_the_order_of_refusals_is_space_then_card_then_worker_then_price() -> None:
    table = table_with(workers=0)
    play(table, "O3")
    assert refusal(table, 1, place("orange", 5, worker=True)) == "no_such_space"
    assert refusal(table, 1, place("orange", 3, worker=True)) == "not_empty"
    assert refusal(table, 1, place("orange", 4, worker=True)) == "no_worker"


def test_r5_a_worker_costs_the_space_in_coins_of_the_row() -> None:
    table = table_with("yellow>black+", "blue>black-", start_coins=4)
    assert play(table, "P3 w") == [placed(0, "purple", 3), hired(0, "purple", 3), drawn(1, "blue>black-")]
    assert table.state.coins == ((4, 4, 4, 1, 4), (4, 4, 4, 4, 4))
    assert table.state.hands == (2, 3)


def test_r5_one_coin_of_the_row_must_remain() -> None:
    table = table_with(start_coins=3)
    assert refusal(table, 0, place("orange", 3, worker=True)) == "cannot_pay"
    play(table, "O2 w")
    assert table.state.coins[0][0] == 1


def test_r5_a_worker_comes_from_the_hand() -> None:
    table = table_with(workers=1, start_coins=9)
    play(table, "O3 w", "O4 w")
    assert refusal(table, 0, place("orange", 2, worker=True)) == "no_worker"


def test_r5_a_worker_on_space_0_is_free() -> None:
    table = table_with("orange>blue+", "black>blue-")
    assert play(table, "K0 w") == [
        placed(0, "black", 0),
        hired(0, "black", 0),
        paid("black", 0, "orange>blue+", s0=[1, 2]),
        home("black", 0),
        drawn(1, "black>blue-"),
    ]
    assert table.state.hands == (3, 3)


def test_r6_a_positive_card_adds_and_the_colour_of_the_row_plays_no_part() -> None:
    table = table_with("yellow>black+", start_coins=4)
    assert play(table, "O0 w")[2] == paid("orange", 0, "yellow>black+", s0=[4, 8])


def test_r6_a_negative_card_never_takes_below_1() -> None:
    table = table_with("orange>blue+", "blue>black+", "blue>orange-", "blue>purple-", start_coins=2)
    play(table, "O0 w", "Y0")
    assert play(table, "Y0 w")[2] == paid("yellow", 0, "blue>orange-", s0=[2, 1])
    assert play(table, "K0 w")[2] == paid("black", 0, "blue>purple-", s1=[2, 1])


def test_r6_a_negative_card_takes_the_whole_of_the_first_colour() -> None:
    table = table_with("orange>blue+", "black>yellow+", "yellow>blue-", start_coins=3)
    play(table, "O0 w", "P4")
    assert play(table, "B0 w")[2] == paid("blue", 0, "yellow>blue-", s0=[6, 3])


def test_r6_a_card_pays_only_if_every_space_to_its_right_is_occupied() -> None:
    table = table_with("orange>blue+", "orange>black+", "orange>purple+", "blue>orange+")
    play(table, "Y3", "Y1")
    assert play(table, "Y0") == [
        placed(0, "yellow", 0),
        paid("yellow", 1, "orange>black+"),
        paid("yellow", 0, "orange>purple+"),
        drawn(1, "blue>orange+"),
    ]
    assert table.state.cards[1] == (None, None, None, "orange>blue+", None)


def test_r6_a_full_row_pays_from_4_to_0_and_other_rows_wait() -> None:
    table = table_with("blue>black+")
    play(table, "B1", "O4", "O3", "O2", "O1")
    events = play(table, "O0")
    assert [event["space"] for event in events if event["type"] == "space_paid"] == [4, 3, 2, 1, 0]
    assert table.state.cards[0] == (None,) * 5
    assert table.state.cards[4][1] == "blue>black+"


def test_r7_a_worker_is_paid_by_each_card_it_walks_over() -> None:
    table = table_with("orange>purple+", "purple>blue+", start_coins=2)
    play(table, "Y1 w")
    assert play(table, "Y0")[1:-1] == [
        paid("yellow", 1, "orange>purple+", s0=[2, 4]),
        paid("yellow", 0, "purple>blue+", s0=[2, 6]),
        home("yellow", 0),
    ]
    assert table.state.coins[0] == (2, 1, 2, 4, 6)


def test_r7_every_seat_reads_its_own_coins() -> None:
    table = table_with("orange>blue+", "orange>yellow+", "blue>black+", start_coins=3)
    play(table, "K2 w", "K1 w")
    assert play(table, "K0 w")[2:-1] == [
        paid("black", 2, "orange>blue+", s0=[3, 6]),
        paid("black", 1, "orange>yellow+", s0=[3, 6], s1=[3, 6]),
        paid("black", 0, "blue>black+", s0=[1, 7], s1=[2, 5]),
        home("black", 0, 0, 1),
    ]


def test_r7_two_workers_of_a_seat_on_a_space_are_paid_once() -> None:
    table = table_with("orange>blue+", "yellow>purple+", "black>purple+", start_coins=2)
    play(table, "K1 w", "Y4")
    assert play(table, "K0 w")[2:-1] == [
        paid("black", 1, "orange>blue+", s0=[2, 4]),
        paid("black", 0, "black>purple+", s0=[2, 3]),
        home("black", 0, 0),
    ]


def test_r8_workers_come_home_and_can_be_placed_again() -> None:
    table = table_with(workers=1)
    for _ in range(5):
        play(table, "O0 w", "Y0 w")
    assert table.state.hands == (1, 1)


def test_r10_at_the_flag_the_dealer_places_the_card_without_a_worker() -> None:
    table = Table(GAME, chance=Chance(seed=b"flag"))
    table.settle()
    fallen, card_placed, *rest = table.flag(0)
    assert GAME.notation.sentence(fallen, ["Ann", "Bob"]) == "Ann's time runs out."
    assert (card_placed.seat, rest[-1].seat) == (0, 1)
    assert not any("worker" in event["type"] for event in table.events(HOST))
    assert table.outcome is None
