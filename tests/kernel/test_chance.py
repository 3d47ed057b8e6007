"""Chance is the published algorithm, and fair."""

import json
from collections import Counter
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.kernel import ALGORITHM, Chance
from games.kernel.chance import NoSeed
from tests.kernel import plain_chance

VECTORS: dict[str, Any] = json.loads(Path(__file__).with_name("chance_vectors.json").read_text(encoding="utf-8"))


def chance_of(vector: dict[str, Any]) -> Chance:
    """Chance as a vector sets it."""
    return Chance(seed=bytes.fromhex(vector["seed"]), version=vector["version"])


def test_the_vectors_are_of_this_algorithm() -> None:
    assert VECTORS["algorithm"] == ALGORITHM


@pytest.mark.parametrize("vector", VECTORS["words"])
def test_words_equal_the_published_vectors(vector: dict[str, Any]) -> None:
    draws = chance_of(vector).draws(vector["purpose"])
    assert [str(draws.below(2**64)) for _ in vector["results"]] == vector["results"]


@pytest.mark.parametrize("vector", VECTORS["below"])
def test_below_equals_the_published_vectors(vector: dict[str, Any]) -> None:
    draws = chance_of(vector).draws(vector["purpose"])
    assert [str(draws.below(int(vector["n"]))) for _ in vector["results"]] == vector["results"]
    assert str(chance_of(vector).below(int(vector["n"]), vector["purpose"])) == vector["results"][0]


@pytest.mark.parametrize("vector", VECTORS["choice"])
def test_choice_equals_the_published_vectors(vector: dict[str, Any]) -> None:
    assert chance_of(vector).choice(vector["items"], vector["purpose"]) == vector["result"]


@pytest.mark.parametrize("vector", VECTORS["shuffled"])
def test_shuffles_equal_the_published_vectors(vector: dict[str, Any]) -> None:
    assert list(chance_of(vector).shuffled(vector["items"], vector["purpose"])) == vector["result"]


@settings(derandomize=True, database=None, max_examples=50)
@given(st.binary(max_size=80), st.integers(0, 2**63), st.text(max_size=20), st.integers(1, 2**64), st.integers(0, 60))
@pytest.mark.slow
def test_chance_equals_the_plain_implementation(seed: bytes, version: int, purpose: str, n: int, count: int) -> None:
    chance = Chance(seed=seed, version=version)
    assert chance.below(n, purpose) == plain_chance.below(plain_chance.words(seed, version, purpose), n)
    shuffled = plain_chance.shuffled(plain_chance.words(seed, version, purpose), list(range(count)))
    assert list(chance.shuffled(range(count), purpose)) == shuffled


def test_draw_depends_on_seed_version_and_purpose_only() -> None:
    chance = Chance(seed=b"seed", version=3)
    draw = chance.below(2**64, "deck")
    assert chance.below(2**64, "deck") == draw == Chance(seed=b"seed").at(3).below(2**64, "deck")
    assert draw != chance.below(2**64, "bag")
    assert draw != chance.at(4).below(2**64, "deck")
    assert draw != Chance(seed=b"Seed", version=3).below(2**64, "deck")


@pytest.mark.parametrize("n", [0, -1, 2**64 + 1])
def test_draw_outside_the_range_of_a_word_is_refused(n: int) -> None:
    with pytest.raises(ValueError, match="from 1 to"):
        Chance(seed=b"seed").below(n, "deck")


def test_nothing_is_drawn_without_a_seed() -> None:
    with pytest.raises(NoSeed):
        Chance(seed=None).below(2, "coin")


def test_words_beyond_the_largest_multiple_are_passed_over() -> None:
    n = 2**63 + 1
    stream = plain_chance.words(b"\x01", 0, "half")
    words = [next(stream) for _ in range(40)]
    usable = [word for word in words if word < n]
    draws = Chance(seed=b"\x01").draws("half")
    assert len(usable) < len(words)
    assert [draws.below(n) for _ in usable] == usable


def chi_square(counts: Counter[Any], cells: int) -> float:
    """The sum of squared differences from an even spread, each over what is expected."""
    expected = counts.total() / cells
    return sum(count**2 for count in counts.values()) / expected - counts.total()


def test_shuffles_of_four_give_every_order_equally_often() -> None:
    draws, orders = 12_000, len(list(permutations(range(4))))
    counts = Counter(Chance(seed=b"fair", version=version).shuffled(range(4), "deck") for version in range(draws))
    assert chi_square(counts, orders) < 49.7  # 23 degrees of freedom: one in a thousand lies above


def test_draws_below_a_number_are_spread_evenly() -> None:
    draws = Chance(seed=b"fair").draws("die")
    counts = Counter(draws.below(10) for _ in range(20_000))
    assert chi_square(counts, 10) < 27.9  # 9 degrees of freedom: one in a thousand lies above


def test_each_card_gets_to_each_place_of_a_deck_equally_often() -> None:
    draws, size = 4_000, 10
    counts = Counter(
        (card, place)
        for version in range(draws)
        for place, card in enumerate(Chance(seed=b"deck", version=version).shuffled(range(size), "deck"))
    )
    assert chi_square(counts, size * size) < 126.1  # 81 degrees of freedom: one in a thousand lies above
