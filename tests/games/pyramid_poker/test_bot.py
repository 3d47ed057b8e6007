"""The bot plays by the rules, quickly, and better than chance."""

from random import Random
from time import thread_time

from games.kernel import Chance, Table
from games.pyramid_poker import GAME


def match(seed: int, bot_seat: int) -> tuple[int, float]:
    """The winner of a match of the bot against random play, and the bot's longest thought in seconds."""
    table, rng, longest = Table(GAME, priority=seed % 2, chance=Chance(seed=b"bot %d" % seed)), Random(seed), 0.0
    while table.outcome is None:
        seat = table.due.prompts[0].seat
        if seat == bot_seat:
            began = thread_time()
            command = GAME.bot(table.witness(seat), seat, rng)
            longest = max(longest, thread_time() - began)
        else:
            command = table.sample(seat, rng)
        table.act(seat, command)
    return table.outcome.winners[0], longest


def test_the_bot_beats_random_play_and_thinks_briefly() -> None:
    matches = [(match(seed, seed // 2 % 2), seed // 2 % 2) for seed in range(60)]
    assert sum(winner == seat for (winner, _), seat in matches) >= 48
    assert sorted(longest for (_, longest), _ in matches)[30] < 0.05


def test_the_bot_decides_alike_in_alike_positions() -> None:
    table = Table(GAME, chance=Chance(seed=b"bot"))
    table.act(0, {"type": "choose_first", "seat": 0})
    known = table.witness(0)
    assert GAME.bot(known, 0, Random(1)) == GAME.bot(known, 0, Random(1))
