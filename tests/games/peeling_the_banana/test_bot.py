"""The bots: legal, better than chance, and a fair match between them."""

from random import Random
from statistics import median

import pytest

from games.kernel import Chance, Table
from games.peeling_the_banana import GAME
from games.peeling_the_banana.bot import _expected
from games.peeling_the_banana.commands import PlayCard
from tests.games.peeling_the_banana.staged import staged

MATCHES = 20
FAIR_MATCHES = 300


def played(number: int, bots: tuple[int, ...]) -> Table:
    """A match; the seats that are no bots play at random."""
    rng = Random(number)
    table = Table(GAME, chance=Chance(f"bot {number}".encode()))
    while table.outcome is None:
        if table.due.dealer:
            table.deal()
            continue
        seat = table.due.prompts[0].seat
        command = GAME.bot(table.witness(seat), seat, rng) if seat in bots else table.sample(seat, rng)
        table.act(seat, command)
    return table


def winner(table: Table) -> int:
    assert table.outcome is not None
    return table.outcome.winners[0]


@pytest.mark.slow
def test_the_bot_beats_random_play_from_either_seat() -> None:
    won = sum(winner(played(number, (number % 2,))) == number % 2 for number in range(MATCHES))
    assert won >= 0.8 * MATCHES


@pytest.mark.slow
def test_ruling_6_bots_play_an_even_match_to_its_end() -> None:
    tables = [played(number, (0, 1)) for number in range(FAIR_MATCHES)]
    assert 0.4 <= sum(winner(table) == 0 for table in tables) / FAIR_MATCHES <= 0.6
    assert median("".join(table.state.boards[winner(table)]).count("#") for table in tables) <= 4


def test_mean_of_the_best_drawn_card_is_computed_exactly() -> None:
    assert _expected([4, 1, 1], 1, 0) == pytest.approx((4 + 1 + 1) / 3)
    assert _expected([4, 1, 1], 2, 0) == pytest.approx((4 + 4 + 1) / 3), "two of three pairs hold the 4"
    assert _expected([4, 1], 9, 0) == 4
    assert _expected([], 2, 3) == 3


@pytest.mark.parametrize(("reshuffle", "card"), [("empty", "coins4#1"), ("short", "seconds#1")])
def test_bot_counts_on_what_a_reshuffle_may_bring(reshuffle: str, card: str) -> None:
    """After `seconds` the deck has one card left, so two of the discard come in: a line of 4 most likely."""
    table = staged("coins4#1 seconds#1 coins2#1", "line4#1 line4#2", reshuffle=reshuffle)
    assert GAME.bot(table.witness(0), 0, Random(0)) == PlayCard(card)


def test_the_bot_moves_on_the_largest_sheet() -> None:
    table = Table(GAME, {"board": ["#" * 20] * 20}, chance=Chance(b"large"))
    table.settle()
    table.act(0, {"type": "choose_first", "seat": 0})
    assert table.act(0, GAME.bot(table.witness(0), 0, Random(0)))
