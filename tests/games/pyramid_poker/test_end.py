"""Comparing hands, winning, leaving and running out of time."""

import pytest

from games.kernel import Chance, FlagFallen, Outcome, Resigned, Table
from games.pyramid_poker import GAME
from games.pyramid_poker.events import HandResult, HandsCompared
from games.pyramid_poker.pieces import category_of, strength
from tests.games.pyramid_poker.built import built, compared, construction, types

BEST_TO_WORST = [
    ("6H 7H 8H 9H 10H", "straight_flush"),
    ("AS 2S 3S 4S 5S", "straight_flush"),
    ("AS AH AD AC 2S", "four"),
    ("10S 10H 10D 9C 9S", "full_house"),
    ("9S 9H 9D 10C 10S", "full_house"),
    ("2C 9C 4C 6C 10C", "flush"),
    ("AC 9C 8C 7C 5C", "flush"),
    ("6H 7H 8H 9H 10D", "straight"),
    ("5D 4S 3S 2S AS", "straight"),
    ("2S 2H 2D 10C 9C", "three"),
    ("AS AH AD 10C 9C", "three"),
    ("10S 10H 2D 2C AC", "two_pair"),
    ("9S 9H 8D 8C 10C", "two_pair"),
    ("9D 9C 8H 8S 7C", "two_pair"),
    ("10S 10H 4D 3C AC", "pair"),
    ("10D 10C 4H 2C AS", "pair"),
    ("10S 9H 8D 7C 5C", "high_card"),
    ("10D 9C 8H 7S 4C", "high_card"),
    ("10S 9H AD 8C 7C", "high_card"),
]


def worth(hand: str) -> tuple[int, tuple[int, ...]]:
    """The strength of a hand written as a text."""
    return strength(hand.split())


@pytest.mark.parametrize(("hand", "category"), BEST_TO_WORST)
def test_r13_a_hand_has_one_category(hand: str, category: str) -> None:
    assert category_of(hand.split()) == category


def test_r13_hands_are_ordered_by_category_and_then_by_rank() -> None:
    strengths = [worth(hand) for hand, _ in BEST_TO_WORST]
    assert strengths == sorted(strengths, reverse=True)
    assert len(set(strengths)) == len(strengths)


def test_r13_suits_never_count() -> None:
    assert worth("10S 9H AD 8C 7C") == worth("10D 9C AS 8H 7S")


@pytest.mark.parametrize("hand", ["10S AS 2S 3S 4S", "9H 10D AC 2C 3C", "7H 8H 9H 10D AC"])
def test_r14_no_straight_goes_round(hand: str) -> None:
    assert category_of(hand.split()) in ("high_card", "flush")


def test_r14_the_ace_is_the_lowest_rank() -> None:
    assert worth("AS AH 3D 4C 6C") < worth("2S 2H 3D 4C 6C")


# Seat 0's and seat 1's hands; the comments say who wins which.
TWO_ONE = (
    "6S 7S 8S 9S 10S AH 2D 3H 4H 5H AS 4D 3S 8C 10C",  # straight flush, straight, high card
    "6D 7D 8D 9D 10H AD 2S 3D 7H 10D 2C 5D 4S 8H 9C",  # straight, high card, high card
)
ONE_ONE = (
    "2S 2H 3D 4S 6H 7S 8S 9D 10H 5C AS 4D 6S 8C 10S",  # pair, high card, high card
    "3S 5H 6D 7D 9H 2C 2D 9S 9C 10D AH 4H 6C 8D 10C",  # high card, two pair, a tie
)


def test_r12_hands_are_compared_number_by_number() -> None:
    table = compared(*TWO_ONE)
    assert types(table.log[-2:]) == ["BrickAssigned", "HandsCompared"]
    assert table.log[-1] == HandsCompared(
        (
            HandResult(1, ("straight_flush", "straight"), 0),
            HandResult(2, ("straight", "high_card"), 0),
            HandResult(3, ("high_card", "high_card"), 0),
        ),
        (3, 0),
    )
    assert table.outcome == Outcome((0,), ((0,), (1,)), "played", {0: 3, 1: 0})


def test_r15_a_tied_pair_counts_for_nobody() -> None:
    event = compared(*ONE_ONE).log[-1]
    assert isinstance(event, HandsCompared)
    assert [result.winner for result in event.hands] == [0, 1, None] and event.wins == (1, 1)


@pytest.mark.parametrize("priority", [0, 1])
def test_r16_with_as_many_hands_the_priority_seat_wins(priority: int) -> None:
    assert compared(*ONE_ONE, priority=priority).outcome == Outcome(
        (priority,), ((priority,), (1 - priority,)), "played", {0: 1, 1: 1}
    )


def test_r16_more_hands_win_against_priority() -> None:
    assert compared(*TWO_ONE, priority=1).outcome.winners == (0,)
    left, right = TWO_ONE
    assert compared(right, left, priority=0).outcome.winners == (1,)


def test_r16_nothing_is_due_after_the_end() -> None:
    table = compared(*TWO_ONE)
    assert table.due.prompts == () and not table.due.dealer


def test_r17_each_placement_is_a_turn_of_its_own() -> None:
    turns = {construction(*moves).due.prompts[0].turn for moves in ((), ("AS A1",), ("AS A1", "2S A2"))}
    assert turns == {"construction 1", "construction 2", "construction 3"}


@pytest.mark.parametrize("table", [construction("AS A1"), built(first=1)], ids=["construction", "deconstruction"])
def test_r18_the_fallen_flag_loses_the_match(table: Table) -> None:
    assert table.flag(1) == (FlagFallen(seat=1, clock="turn"),)
    assert table.outcome == Outcome((0,), ((0,), (1,)), "flag", {0: 0, 1: 0})


def test_r18_a_choice_slept_through_is_made_by_chance() -> None:
    starters = set()
    for seed in range(16):
        table = Table(GAME, priority=1, chance=Chance(seed=bytes([seed])))
        fallen, chosen, dealt = table.flag(1)
        assert fallen == FlagFallen(seat=1, clock="choice")
        assert chosen.seat == dealt.seat == table.due.prompts[0].seat and table.outcome is None
        starters.add(chosen.seat)
    assert starters == {0, 1}


@pytest.mark.parametrize("seat", [0, 1])
def test_r19_a_seat_that_resigns_loses_whosever_turn_it_is(seat: int) -> None:
    table = built()
    assert table.act(seat, {"type": "resign"}) == (Resigned(seat),)
    assert table.outcome.winners == (1 - seat,) and table.outcome.reason == "resigned"


def test_ruling_3_the_clock_has_a_reserve_and_then_the_match_is_lost() -> None:
    clock = GAME.clocks["turn"]
    assert (clock.base, clock.reserve, clock.increment) == (60, 300, 1)
    assert (GAME.clocks["choice"].base, GAME.clocks["choice"].reserve) == (86400, 0)
