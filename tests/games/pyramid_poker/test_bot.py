"""The bot plays by the rules, and better than chance."""

from random import Random

import pytest

from games.kernel import Chance, Table
from games.pyramid_poker import GAME


def winner(seed: int, bot_seat: int) -> int:
    """Return the winner of a match of the bot against random play."""
    table, rng = Table(GAME, priority=seed % 2, chance=Chance(seed=b"bot %d" % seed)), Random(seed)
    while table.outcome is None:
        seat = table.due.prompts[0].seat
        table.act(seat, GAME.bot(table.witness(seat), seat, rng) if seat == bot_seat else table.sample(seat, rng))
    return table.outcome.winners[0]


@pytest.mark.slow
def test_the_bot_beats_random_play() -> None:
    assert sum(winner(seed, seed // 2 % 2) == seed // 2 % 2 for seed in range(60)) >= 48


def test_the_bot_decides_alike_in_alike_positions() -> None:
    table = Table(GAME, chance=Chance(seed=b"bot"))
    table.act(0, {"type": "choose_first", "seat": 0})
    view = table.witness(0)
    assert GAME.bot(view, 0, Random(1)) == GAME.bot(view, 0, Random(1))
