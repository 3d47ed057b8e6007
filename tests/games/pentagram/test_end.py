"""The end of a match, its winner, and the consequences of a resignation."""

import pytest

from games.kernel import HOST, Chance, Illegal, Outcome, Table
from games.pentagram import GAME
from games.pentagram.pieces import COLOURS
from tests.games.pentagram.stacked import drawn, hired, home, paid, place, placed, play, refusal, table_with


def played_out(table: Table) -> Outcome:
    """The outcome once every card that is left has gone on black 0 without a worker."""
    while table.outcome is None:
        play(table, "K0")
    return table.outcome


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_r9_the_match_ends_with_the_last_card(seats: int) -> None:
    table = table_with(seats=seats)
    outcome = played_out(table)
    assert table.state.turns == 60
    assert table.events(HOST)[-1]["type"] == "space_paid"
    assert not table.due.prompts and not table.due.dealer
    assert outcome.reason == "played"
    assert refusal(table, 0, place("orange", 0)) == "match_over"


def test_r9_the_last_placement_pays_before_the_count() -> None:
    table = table_with("blue>purple-")
    play(table, *["O0"] * 59)
    assert play(table, "O0 w")[2:] == [paid("orange", 0, "blue>purple+", s1=[1, 2]), home("orange", 1)]
    assert table.outcome.score == {0: 5, 1: 6}


def test_r9_most_coins_win() -> None:
    table = table_with("orange>blue+")
    play(table, "O0 w")
    assert played_out(table) == Outcome(winners=(0,), ranking=((0,), (1,)), reason="played", score={0: 6, 1: 5})


def test_r9_among_equals_the_larger_weakest_colour_wins() -> None:
    table = table_with(
        "orange>yellow+", "orange>blue+", "orange>black+", "blue>yellow+", "orange>purple+",
        "black>orange+", "orange>blue+", "black>purple+", "yellow>orange+", "black>blue+",
    )  # fmt: skip
    play(table, *["O0 w"] * 10)
    assert table.state.coins == ((3, 2, 2, 2, 2), (2, 3, 1, 2, 3))
    outcome = played_out(table)
    assert (outcome.score, outcome.winners) == ({0: 11, 1: 11}, (0,))


def test_r9_then_more_colours_at_2_or_more_win() -> None:
    table = table_with("orange>blue+", "orange>black+", "orange>yellow+", "yellow>black+")
    play(table, *["O0 w"] * 4)
    assert table.state.coins == ((1, 2, 1, 1, 2), (1, 1, 3, 1, 1))
    outcome = played_out(table)
    assert (outcome.score, outcome.winners) == ({0: 7, 1: 7}, (0,))


@pytest.mark.parametrize(("priority", "ranking"), [(0, ((2,), (1,), (0,))), (1, ((0,), (2,), (1,)))])
def test_r9_then_the_later_seat_wins_counted_from_the_priority_seat(
    priority: int, ranking: tuple[tuple[int, ...], ...]
) -> None:
    assert played_out(table_with(seats=3, priority=priority)).ranking == ranking


@pytest.mark.parametrize(("score", "counted"), [("total", 6), ("weakest", 1), ("product", 2)])
def test_r9_the_score_is_an_option(score: str, counted: int) -> None:
    table = table_with("orange>blue+", score=score)
    play(table, "O0 w")
    assert played_out(table).score == {0: counted, 1: 5 if score == "total" else 1}


def test_r11_other_one_of_two_seats_wins_at_once() -> None:
    table = table_with()
    table.act(0, {"type": "resign"})
    assert table.outcome == Outcome(winners=(1,), ranking=((1,), (0,)), reason="resigned", score={0: 5, 1: 5})


def test_r11_a_seat_may_resign_before_the_shuffle() -> None:
    table = Table(GAME, seats=3, chance=Chance(seed=b"early"))
    table.act(0, {"type": "resign"})
    table.settle()
    assert [event["type"] for event in table.events(HOST)][:3] == ["resigned", "deck_shuffled", "card_drawn"]
    assert table.due.prompts[0].seat == 1


def test_r11_the_dealer_plays_a_resigned_seats_turns() -> None:
    table = Table(GAME, seats=3, chance=Chance(seed=b"gone"))
    table.settle()
    table.act(1, {"type": "resign"})
    assert table.due.prompts[0].seat == 0
    play(table, "O4")
    assert table.due.dealer and not table.due.prompts
    assert table.witness(2).card == table.state.card is not None
    assert refusal(table, 2, place("orange", 3)) == "dealer_due"
    card_placed, *_, next_drawn = table.settle()
    assert (card_placed.seat, next_drawn.seat) == (1, 2)
    with pytest.raises(Illegal, match="not_your_turn"):
        table.act(1, {"type": "resign"})


def test_r11_resigning_in_ones_own_turn_hands_it_to_the_dealer() -> None:
    table = Table(GAME, seats=3, chance=Chance(seed=b"gone"))
    table.settle()
    table.act(0, {"type": "resign"})
    assert table.due.dealer
    assert table.settle()[0].seat == 0


def test_r11_resigned_seats_rank_last_the_later_resigner_above() -> None:
    table = table_with("orange>blue+", seats=4)
    play(table, "O0 w")
    table.act(2, {"type": "resign"})
    table.act(0, {"type": "resign"})
    assert table.outcome is None
    table.act(1, {"type": "resign"})
    assert table.outcome.ranking == ((3,), (1,), (0,), (2,))
    assert (table.outcome.winners, table.outcome.reason) == ((3,), "resigned")


def test_ruling_1_coins_have_no_upper_bound_and_travel_as_strings() -> None:
    coins = 2**53 - 1
    table = table_with("orange>blue+", start_coins=coins)
    assert play(table, "O0 w")[2] == paid("orange", 0, "orange>blue+", s0=[coins, str(2 * coins)])
    assert Table.replay(GAME, {"start_coins": coins}, 2, 0, table.events(HOST)).state == table.state


def test_ruling_2_workers_of_several_seats_share_a_space_while_a_row_pays() -> None:
    table = table_with(seats=3, start_coins=3)
    play(table, "O2 w", "O1 w")
    assert play(table, "O0 w")[-2] == home("orange", 0, 1, 2)


def test_ruling_4_discarded_cards_dont_return() -> None:
    table = table_with()
    play(table, *["O0"] * 10)
    assert table.state.left == 49


def test_ruling_5_a_resigned_seats_worker_is_paid_but_cant_win() -> None:
    table = table_with("orange>blue+", seats=3, start_coins=5)
    play(table, "Y1 w")
    table.act(0, {"type": "resign"})
    assert play(table, "Y0")[1] == paid("yellow", 1, "orange>blue+", s0=[5, 10])
    assert table.state.hands == (3, 3, 3)


def test_ruling_6_column_0_is_dealt_without_payout() -> None:
    table = Table(GAME, {"zero_column": "dealt"}, chance=Chance(seed=b"zero"))
    table.settle()
    shuffled, zero, first = table.events(HOST)
    assert zero == {"type": "zero_dealt", "cards": dict(zip(COLOURS, shuffled["order"][:5], strict=True))}
    assert list(zero["cards"]) == list(COLOURS)
    assert first == drawn(0, shuffled["order"][5])
    assert table.witness(1).left == 54


def test_ruling_6_a_placement_pays_its_rows_space_0_even_across_a_gap() -> None:
    zeros = ("blue>orange+", "orange>blue+", "black>blue+", "purple>blue+", "yellow>blue+")
    table = table_with(*zeros, "orange>purple+", "orange>black+", zero_column="dealt")
    assert play(table, "O4") == [
        placed(0, "orange", 4),
        paid("orange", 0, "blue>orange+"),
        drawn(1, "orange>black+"),
    ]
    assert table.state.cards[0] == (None, None, None, None, "orange>purple+")


def test_ruling_6_the_example_a_worker_on_yellow_1_walks_over_the_dealt_yellow_0() -> None:
    zeros = ("blue>orange+", "purple>blue+", "black>blue+", "orange>blue+", "yellow>blue+")
    table = table_with(*zeros, "orange>purple+", zero_column="dealt", start_coins=2)
    assert play(table, "Y1 w")[2:-1] == [
        paid("yellow", 1, "orange>purple+", s0=[2, 4]),
        paid("yellow", 0, "purple>blue+", s0=[2, 6]),
        home("yellow", 0),
    ]


def test_ruling_7_a_resigned_seats_coins_count_for_the_target() -> None:
    table = table_with("orange>blue+", seats=3, end="target", target=6)
    play(table, "O0 w")
    table.act(0, {"type": "resign"})
    play(table, "O0", "O0")
    assert table.outcome.ranking == ((2,), (1,), (0,))


def test_ruling_8_the_target_ends_the_match_after_a_full_round() -> None:
    table = table_with("orange>blue+", end="target", target=6, priority=1)
    play(table, "O0 w")
    assert table.outcome is None
    events = play(table, "O0 w")
    assert events[-1]["type"] == "workers_returned"
    assert table.outcome.reason == "played"


def test_ruling_8_a_full_round_ends_at_the_priority_seat() -> None:
    table = table_with("orange>blue+", "orange>blue-", "black>yellow+", seats=3, end="target", target=6, priority=2)
    play(table, "O0 w", "O0")
    assert table.outcome is None
    play(table, "O0")
    assert table.outcome.winners == (2,)


def test_ruling_8_the_decks_end_ends_a_match_with_a_target_too() -> None:
    table = table_with(end="target", target=10**6)
    played_out(table)
    assert table.state.turns == 60


def test_ruling_11_card_on_space_0_waits_and_the_sources_example_occurs() -> None:
    table = table_with("purple>blue+", "black>blue+", "orange>purple+", zero_column="waits", start_coins=2)
    assert play(table, "Y0") == [placed(0, "yellow", 0), drawn(1, "black>blue+")]
    assert play(table, "O0")[1:] == [drawn(0, "orange>purple+")]
    assert play(table, "Y1 w")[2:-1] == [
        paid("yellow", 1, "orange>purple+", s0=[2, 4]),
        paid("yellow", 0, "purple>blue+", s0=[2, 6]),
        home("yellow", 0),
    ]
    assert table.state.cards[0][0] == "black>blue+", "the orange row still waits"


def test_ruling_11_worker_waits_with_its_card_on_space_0() -> None:
    table = table_with("orange>blue+", "black>purple+", zero_column="waits")
    assert play(table, "K0 w")[:-1] == [placed(0, "black", 0), hired(0, "black", 0)]
    assert play(table, "K4")[1:-1] == [paid("black", 0, "orange>blue+", s0=[1, 2]), home("black", 0)]
    assert table.state.cards[2] == (None, None, None, None, "black>purple+"), "the gap keeps the new card waiting"


def test_ruling_11_card_placed_on_space_0_sets_off_no_card_beside_it() -> None:
    table = table_with(zero_column="waits")
    play(table, "B1", "B2")
    assert [event["type"] for event in play(table, "B0")] == ["card_placed", "card_drawn"]


def test_ruling_12_card_that_fills_its_row_on_space_0_pays_the_whole_row() -> None:
    table = table_with(zero_column="waits")
    play(table, "P4", "P3", "P2", "P1")
    assert [event["space"] for event in play(table, "P0") if event["type"] == "space_paid"] == [4, 3, 2, 1, 0]
    assert table.state.cards[3] == (None,) * 5


def test_ruling_12_match_with_waiting_cards_is_played_to_its_last_card() -> None:
    table = table_with(zero_column="waits")
    while table.outcome is None:
        seat = table.due.prompts[0].seat
        table.act(seat, next(table.legal(seat)))
    assert table.state.turns == 60


def test_ruling_12_waiting_last_card_ends_the_match() -> None:
    table = table_with(zero_column="waits")
    play(table, *["O0", "O1"] * 29, "Y0")
    assert table.outcome is None
    assert [event["type"] for event in play(table, "K0")] == ["card_placed"]
    assert table.outcome.reason == "played"


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_ruling_13_rounds_end_the_match_after_as_many_turns_of_each_seat(seats: int) -> None:
    table = table_with(seats=seats, priority=1, end="rounds", rounds=3)
    play(table, *["O0"] * (3 * seats - 1))
    assert table.outcome is None
    play(table, "O0")
    assert table.outcome.reason == "played"
    assert table.state.turns == 3 * seats == GAME.bound(table.options, seats)


def test_ruling_13_deck_ends_a_match_with_more_rounds_than_it_has() -> None:
    table = table_with(end="rounds", rounds=31)
    played_out(table)
    assert table.state.turns == 60 == GAME.bound(table.options, 2)


def test_ruling_13_target_in_one_colour_ends_the_match_after_a_full_round() -> None:
    cards = ("orange>blue+", "yellow>orange-", "black>blue+", "purple>orange-")
    table = table_with(*cards, end="colour", target=3)
    play(table, "O0 w", "O0", "O0 w")
    assert table.state.coins[0] == (1, 1, 1, 1, 3)
    assert table.outcome is None, "seat 1 has a turn to come in this round"
    play(table, "O0")
    assert table.outcome.score == {0: 7, 1: 5}


def test_ruling_13_target_in_one_colour_does_not_count_all_coins() -> None:
    table = table_with("orange>blue+", "yellow>orange-", end="colour", target=5)
    play(table, "O0", "O0")
    assert table.outcome is None, "each seat has five coins, one of each colour"


def test_ruling_14_first_seat_at_the_target_wins_with_fewer_coins() -> None:
    """Seat 0 has 6 coins in turn 1. Seat 1 has 6 in turn 2 and 8 in turn 4, when the second round ends."""
    cards = ("orange>blue+", "orange>blue+", "yellow>orange-", "blue>black+")
    table = table_with(*cards, score="first", end="rounds", rounds=2, target=6)
    play(table, "O0 w", "O0 w", "O0", "O0 w")
    assert table.outcome == Outcome(winners=(0,), ranking=((0,), (1,)), reason="played", score={0: 6, 1: 8})
    assert table.state.met == (1, 2)


def test_ruling_14_coins_lost_later_do_not_matter() -> None:
    """Seat 0 has 6 coins in turn 1 and 5 after turn 3: black loses nothing, as one coin stays, but blue goes to 1."""
    table = table_with("orange>blue+", "black>blue-", "yellow>blue-", score="first", end="rounds", rounds=2, target=6)
    play(table, "O0 w", "O0", "O0 w", "O0")
    assert table.state.coins[0] == (1, 1, 1, 1, 1)
    assert table.outcome.winners == (0,) and table.outcome.score == {0: 5, 1: 5}


def test_ruling_14_in_the_same_turn_more_coins_win() -> None:
    """Both stand on yellow 0 by way of yellow 1 and are paid in turn 3: 3 + 3 for seat 0, which has paid a yellow coin
    for its place on space 1, and 3 + 3 for seat 1, which stood on space 2 and paid two."""
    table = table_with("orange>blue+", "orange>black+", "black>purple+", score="first", start_coins=3, target=16)
    play(table, "Y1 w", "Y2 w", "Y0")
    assert table.state.met == (3, 3)
    assert table.state.coins == ((3, 2, 3, 6, 6), (3, 1, 6, 9, 6))
    assert played_out(table).ranking == ((1,), (0,))


def test_ruling_14_without_the_target_more_coins_win() -> None:
    table = table_with("orange>blue+", score="first", target=50)
    play(table, "O0 w")
    assert played_out(table).winners == (0,)
    assert table.state.met == (None, None)


def test_ruling_14_target_at_the_start_is_met_in_turn_0() -> None:
    assert table_with(score="first", start_coins=20, target=100).state.met == (0, 0)
    assert table_with(score="first", start_coins=20, end="colour", target=21).state.met == (None, None)


def test_ruling_15_strongest_colour_is_a_score_with_the_usual_tie_breakers() -> None:
    """Seat 0: blue 2, black 2; seat 1: yellow 3 by 1 + 1 and 2 + 1. The 3 counts, though the totals are equal."""
    table = table_with("orange>blue+", "orange>yellow+", "orange>black+", "black>yellow+", score="strongest")
    play(table, *["O0 w"] * 4)
    assert table.state.coins == ((1, 1, 2, 1, 2), (1, 3, 1, 1, 1))
    outcome = played_out(table)
    assert (outcome.score, outcome.winners) == ({0: 2, 1: 3}, (1,))
    table = table_with("orange>blue+", "orange>blue+", "orange>black+", score="strongest")
    play(table, *["O0 w"] * 3)
    assert played_out(table).winners == (0,), "both have 2 at most, and seat 0 has it in two colours"


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_ruling_9_with_column_0_dealt_there_are_55_turns(seats: int) -> None:
    table = table_with(seats=seats, zero_column="dealt")
    while table.outcome is None:
        seat = table.due.prompts[0].seat
        table.act(seat, next(table.legal(seat)))
    assert table.state.turns == 55 == GAME.bound(table.options, seats)


def test_ruling_10_the_price_is_gone_before_the_row_pays() -> None:
    table = table_with(
        "blue>orange+", "purple>blue+", "black>blue+", "orange>yellow+", "yellow>blue+", "orange>blue+",
        zero_column="dealt", start_coins=3,
    )  # fmt: skip
    assert play(table, "O1 w")[2] == paid("orange", 1, "orange>blue+", s0=[3, 5])
