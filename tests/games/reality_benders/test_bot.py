"""The bot: legal, from its witness, and better than chance."""

from random import Random

import pytest

from games.kernel import Chance, Table
from games.reality_benders import GAME

MATCHES = 10


@pytest.mark.slow
def test_the_bot_beats_random_play() -> None:
    assert sum(won(number) for number in range(MATCHES)) >= 0.8 * MATCHES


def won(number: int) -> bool:
    """True if the bot wins a match against random play; the number decides its seat."""
    rng, bot = Random(number), number % 2
    at = Table(GAME, priority=1 - bot, chance=Chance(seed=b"bot"))
    while at.outcome is None:
        for prompt in at.due.prompts:
            seat = prompt.seat
            at.act(seat, GAME.bot(at.witness(seat), seat, rng) if seat == bot else at.sample(seat, rng))
    return at.outcome.winners == (bot,)
