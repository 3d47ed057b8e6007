"""The evaluations of the README, with its figures."""

from typing import Any

import pytest
from msgspec.structs import replace

from games.contest.evaluations import (
    AllPay,
    Answer,
    Closest,
    FirstPrice,
    Majority,
    Matrix,
    Minority,
    NamedLeast,
    NamedMost,
    Nothing,
    Payoff,
    Plurality,
    PublicGood,
    Race,
    SecondPrice,
    Sum,
    UniqueHighest,
    UniqueLowest,
)
from games.contest.rounds import round_robin
from games.contest.schemes import Result, Submissions, evaluate, worth

DILEMMA = tuple(
    Payoff(own=own, other=other, points=points)
    for own, other, points in (("C", "C", 3), ("C", "D", 0), ("D", "C", 5), ("D", "D", 1))
)


def result(scheme: Any, values: list[Any], **more: Any) -> Result:
    """Return the result of a round in which each seat submits its value, in the order of the seats."""
    seats = tuple(range(len(values)))
    submitted = {seat: {} if value is None else {"x": value} for seat, value in enumerate(values)}
    return evaluate(scheme, Submissions(submitted, more.pop("playing", seats), **more))


@pytest.mark.parametrize(
    ("scheme", "values", "winners"),
    [
        (Majority(field="x"), list("AAABC"), (0, 1, 2)),
        (Majority(field="x"), list("AABB"), ()),
        (Majority(field="x"), list("AABC"), ()),
        (Plurality(field="x"), list("AABCC"), ()),
        (Plurality(field="x", tie="all"), list("AABCC"), (0, 1, 3, 4)),
        (Plurality(field="x"), list("AABC"), (0, 1)),
        (Minority(field="x"), list("AAAB"), (3,)),
        (Minority(field="x"), list("AAAA"), ()),
        (Minority(field="x"), list("AABB"), ()),
        (Minority(field="x", tie="all"), list("AABC"), (2, 3)),
        (Majority(field="x"), [("A", "B"), ("B",), ("B", "C")], (0, 1, 2)),
        (UniqueHighest(field="x"), [9, 9, 7, 4], (2,)),
        (UniqueHighest(field="x"), [9, 9, 7, 7], ()),
        (UniqueLowest(field="x"), [1, 1, 2, 5], (2,)),
        (Closest(field="x", percent=67), [10, 20, 30, 40], (1,)),
        (Closest(field="x", target=25), [10, 20, 30, 40], (1, 2)),
        (Closest(field="x"), [0, 0, 3], (0, 1)),
        (NamedMost(field="x"), [2, 2, 1, 0], (2,)),
        (NamedMost(field="x"), [2, 2, 0, 0], (0, 2)),
        (NamedMost(field="x", tie="none"), [2, 2, 0, 0], ()),
        (NamedLeast(field="x"), [2, 2, 1, 0], (3,)),
        (NamedMost(field="x"), [(1, 2), (2, 0), (0, 1)], (0, 1, 2)),
        (NamedMost(field="x"), [{"1": 3, "2": 2}, {"2": 5}, {"0": 5}], (2,)),
        (NamedLeast(field="x"), [{"1": 3, "2": 2}, {"2": 5}, {"0": 5}], (1,)),
        (UniqueHighest(field="x"), [("9 of figs",), ("9 of silk",), ("7 of figs",), ("4 of tea",)], (2,)),
        (Closest(field="x", target=9), [("5 of figs", "3 of tea"), ("4 of figs", "7 of tea")], (0,)),
    ],
)
def test_r9_r10_r11_r12_r13_r14_r20_r21_winners(scheme: Any, values: list[Any], winners: tuple[int, ...]) -> None:
    outcome = result(scheme, values)
    assert outcome.winners == winners
    assert set(outcome.winners) | set(outcome.others) == set(range(len(values)))
    assert outcome.gains == {seat: int(seat in winners) for seat in range(len(values))}


def test_winners_and_others_gain_what_the_round_says() -> None:
    assert result(Minority(field="x", points=5, others=-2), list("AAAB")).gains == {0: -2, 1: -2, 2: -2, 3: 5}


def test_seat_without_a_value_takes_no_part() -> None:
    outcome = result(Majority(field="x"), ["A", None, "A"])
    assert outcome.gains == {0: 1, 2: 1} and outcome.others == ()


def test_player_who_has_left_is_not_named() -> None:
    assert result(NamedMost(field="x"), [2, 2, 0], playing=(0, 1)).winners == (0,)


@pytest.mark.parametrize(
    ("scheme", "paid"),
    [
        (FirstPrice(field="x", prizes=(4,)), {0: 8}),
        (SecondPrice(field="x", prizes=(4,)), {0: 5}),
        (AllPay(field="x", prizes=(4,)), {0: 8, 1: 5, 2: 3}),
    ],
)
def test_r15_r16_r17_auction_has_its_price(scheme: Any, paid: dict[int, int]) -> None:
    outcome = result(scheme, [8, 5, 3])
    assert (outcome.gains, outcome.winners, outcome.others, outcome.paid) == ({0: 4}, (0,), (1, 2), paid)


def test_auction_of_several_prizes_ranks_equal_bids_by_their_order() -> None:
    outcome = result(SecondPrice(field="x", prizes=(4, 2)), [3, 5, 3, 3])
    assert outcome.gains == {1: 4, 0: 2} and outcome.paid == {1: 3, 0: 3}


def test_bid_of_nothing_wins_nothing() -> None:
    outcome = result(SecondPrice(field="x", prizes=(4, 2)), [0, 6])
    assert outcome.gains == {1: 4} and outcome.paid == {1: 0} and outcome.others == (0,)


def test_r18_matrix_pays_by_pair() -> None:
    outcome = result(Matrix(field="x", payoffs=DILEMMA), list("CCD"))
    assert outcome.gains == {0: 3, 1: 3, 2: 10} and outcome.winners == (2,)


def test_matrix_of_drawn_pairs_gives_a_seat_alone_its_points() -> None:
    outcome = result(Matrix(field="x", payoffs=DILEMMA, pairing="drawn", alone=2), list("CDC"), pairs=((0, 1),))
    assert outcome.gains == {0: 0, 1: 5, 2: 2}


def test_matrix_by_mutual_choice_pairs_those_who_name_each_other() -> None:
    scheme = Matrix(field="x", payoffs=DILEMMA, pairing="mutual", partner="with", alone=-1)
    values = {0: {"x": "C", "with": 1}, 1: {"x": "D", "with": 0}, 2: {"x": "D", "with": 0}}
    assert evaluate(scheme, Submissions(values, (0, 1, 2))).gains == {0: 0, 1: 5, 2: -1}  # type: ignore[arg-type]


def test_r19_public_good_is_shared_equally() -> None:
    assert result(PublicGood(field="x"), [10, 5, 0]).shares == {0: 10, 1: 10, 2: 10}
    assert result(PublicGood(field="x", percent=150), [10, 5, 0, None]).shares == dict.fromkeys(range(4), 5)


def test_r20_seat_that_names_a_player_of_the_role_gains_the_hits() -> None:
    scheme = NamedMost(field="x", points=0, others=1, role="spy", hits=3)
    outcome = result(scheme, [3, 0, 3, 2], roles=("spy", "", "", "spy"))
    assert outcome.winners == (3,) and outcome.gains == {0: 1, 1: 4, 2: 4, 3: 0}


def test_r22_answers_are_compared_without_case_and_spaces() -> None:
    given = [" The  Nile", "the nile", "Amazon"]
    assert result(Answer(field="x", answers=("The Nile",)), given, answers=("The Nile",)).winners == (0, 1)


def test_r22_answers_are_equal_in_composed_and_decomposed_letters() -> None:
    given = ["Bucarest", "BRAS\u0327OV", "bra\u015fov"]
    assert result(Answer(field="x", answers=("Bra\u015fov",)), given, answers=("Bra\u015fov",)).winners == (1, 2)


def test_r23_race_is_won_in_the_order_of_submission() -> None:
    values = {2: {"x": 7}, 0: {"x": 7}, 1: {"x": 6}, 3: {"x": 7}}
    submissions = Submissions(values, (0, 1, 2, 3), answers=(7,))  # type: ignore[arg-type]
    outcome = evaluate(Race(field="x", answers=(7,), prizes=(5, 2)), submissions)
    assert outcome.gains == {2: 5, 0: 2} and outcome.winners == (0, 2) and outcome.others == (1, 3)


def test_r24_sum_counts_numbers_and_cards() -> None:
    assert result(Sum(field="x", points=2), [3, ("7 of cups", "2 of swords"), "King"]).gains == {0: 6, 1: 18, 2: 0}
    assert (worth("12"), worth("x 3"), worth("9999999")) == (12, 0, 0)


@pytest.mark.parametrize("scheme", [Nothing(), Majority(field="x"), Closest(field="x"), PublicGood(field="x")])
def test_round_without_submissions_has_no_result(scheme: Any) -> None:
    outcome = evaluate(scheme, Submissions({}, (0, 1)))
    assert not outcome.gains and not outcome.winners and not outcome.shares


@pytest.mark.parametrize(
    ("scheme", "values"),
    [
        (Nothing(), [1, 2, 3]),
        (FirstPrice(field="x", prizes=(4,)), [8, 5, 3]),
        (SecondPrice(field="x", prizes=(4,)), [8, 5, 3]),
        (AllPay(field="x", prizes=(4,)), [8, 5, 3]),
        (Matrix(field="x", payoffs=DILEMMA), list("CCD")),
        (PublicGood(field="x"), [10, 5, 0]),
        (Race(field="x", prizes=(4,)), [7, 6, 7]),
        (Sum(field="x"), [3, 2, 1]),
    ],
)
def test_unused_values_of_an_evaluation_change_no_result(scheme: Any, values: list[Any]) -> None:
    unused = scheme.unused - {"balance", "out"}
    assert unused and result(replace(scheme, **dict.fromkeys(unused, 9)), values, answers=(7,)) == result(
        scheme, values, answers=(7,)
    )


@pytest.mark.parametrize("count", range(2, 9))
def test_round_robin_pairs_everybody_once(count: int) -> None:
    rounds = count - 1 if count % 2 == 0 else count
    pairs = [pair for number in range(1, rounds + 1) for pair in round_robin(range(count), number)]
    assert len(pairs) == len(set(pairs)) == count * (count - 1) // 2
