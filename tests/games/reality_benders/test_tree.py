"""The lines of play of tiny settings, counted: a change of rules shows itself here."""

from collections import Counter
from itertools import product

import pytest

from games.kernel import Chance, Command
from games.reality_benders import GAME
from games.reality_benders.events import DuelResolved
from games.reality_benders.state import State
from tests.games.reality_benders.scripted import all_rules_but, bends, play, table

Duels = Counter[tuple[int | None, tuple[int, ...], bool]]


def duels(rules: str, bending: str) -> Duels:
    """Every pair of casts in round 1: winner, points and whether the spells are trashed, counted."""
    at = table(rules, items=[])
    bends(at, bending)
    pairs = product(at.legal(0), at.legal(1))
    results = (duel(at.state, first, second) for first, second in pairs)
    return Counter((result.winner, result.points, bool(result.trashed[0])) for result in results)


def duel(state: State, first: Command, second: Command) -> DuelResolved:
    chance = Chance(seed=None)
    (submitted,) = GAME.decide(state, 0, first, chance)
    events = GAME.decide(GAME.evolve(state, submitted), 1, second, chance)
    return next(event for event in events if isinstance(event, DuelResolved))


@pytest.mark.slow
def test_a_round_with_every_rule_made() -> None:
    """Spells win here only by Foresight (146 of the pairs for each seat) or with one rule burnt (144)."""
    assert duels(all_rules_but(), "bend") == {
        (None, (0, 0), False): 13952,
        (None, (0, 0), True): 6790,
        (0, (1, 0), True): 287,
        (1, (0, 1), True): 287,
        (None, (1, 0), True): 142,
        (None, (0, 1), True): 142,
        (0, (2, 0), True): 3,
        (1, (0, 2), True): 3,
        (None, (1, 1), True): 1,
        (None, (2, 0), True): 1,
        (None, (0, 2), True): 1,
    }


def test_a_round_on_a_ring_with_two_chords() -> None:
    assert duels("A>B B>C C>D D>E E>F F>G G>H H>I I>A", "A>C A>D") == {
        (None, (0, 0), True): 6790,
        (None, (0, 0), False): 5158,
        (0, (1, 0), True): 4699,
        (1, (0, 1), True): 4699,
        (0, (2, 0), True): 93,
        (1, (0, 2), True): 93,
        (None, (1, 0), True): 38,
        (None, (0, 1), True): 38,
        (None, (1, 1), True): 1,
    }


def test_the_commands_of_the_first_round() -> None:
    at = table()
    assert len(list(at.legal(0))) == 2556
    bends(at)
    assert len(list(at.legal(0))) == 294
    play(at, "0 cast I", "1 cast C:A")
    assert len(list(at.legal(1))) == 56
    play(at, "1 offer A,B,C")
    assert len(list(at.legal(0))) == 3
