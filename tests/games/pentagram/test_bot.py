"""The bot plays like a person: soundly, and far better than chance."""

from random import Random

import pytest

from games.kernel import Chance, Table
from games.pentagram import GAME
from games.pentagram.bot import _add_earnings
from games.pentagram.pieces import Card
from tests.games.pentagram.stacked import play, table_with


def test_it_takes_a_free_gain() -> None:
    table = table_with("orange>blue+")
    place = GAME.bot(table.witness(0), 0, Random(1))
    assert place.worker and place.space == 0


def test_it_fires_a_row_that_its_worker_waits_in() -> None:
    table = table_with("orange>blue+", "orange>blue-", "blue>purple+", start_coins=4)
    play(table, "K1 w", "Y4")
    place = GAME.bot(table.witness(0), 0, Random(1))
    assert (place.colour, place.space) == ("black", 0)


def test_it_puts_no_worker_where_it_only_loses() -> None:
    table = table_with("orange>blue-", start_coins=9)
    assert not GAME.bot(table.witness(0), 0, Random(1)).worker


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"score": "weakest"}, {"zero_column": "dealt", "end": "target"}], ids=str)
@pytest.mark.parametrize("seats", [2, 4])
def test_it_beats_random_play(options: dict[str, object], seats: int) -> None:
    wins = sum(won_by_bot(options, seats, number) for number in range(10))
    assert wins >= 8


def won_by_bot(options: dict[str, object], seats: int, number: int) -> bool:
    """True if the only bot at a table of random players wins match `number`."""
    rng, bot_seat = Random(number), number % seats
    table = Table(GAME, options, seats, chance=Chance(seed=bytes([number])))
    table.settle()
    while table.outcome is None:
        seat = table.due.prompts[0].seat
        view = table.witness(seat)
        table.act(seat, GAME.bot(view, seat, rng) if seat == bot_seat else table.sample(seat, rng))
    return table.outcome.winners == (bot_seat,)


def test_bot_keeps_a_last_coin_where_a_float_would_lose_it() -> None:
    purse = [2.0**54] * 5
    _add_earnings(purse, (Card("orange>blue-"),), 1.0)
    assert purse[-1] == 1.0
