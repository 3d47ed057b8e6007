"""The generator for programs: Python's interface to chance, independent of Python's release."""

import random
from itertools import islice

import pytest

from games.kernel import Chance, Generator
from tests.kernel import plain_chance

SEED = bytes(range(32))


def generator(purpose: str = "bot 0") -> Generator:
    """A generator on one draw."""
    return Generator(Chance(SEED, 7).draws(purpose))


def words(count: int) -> list[int]:
    """The first words of the same draw, by the plain reading of the documentation."""
    return list(islice(plain_chance.words(SEED, 7, "bot 0"), count))


def test_each_method_uses_the_words_as_documented() -> None:
    first, second, third, *_ = words(5)
    assert generator().random() == (first >> 11) / 2**53
    assert generator().getrandbits(70) == (first << 64 | second) >> 58
    assert generator().choice("abc") == "abc"[first % 3]
    items = list(range(10))
    expected = items[:]
    for place, word in enumerate((first, second, third)):
        other = place + word % (10 - place)
        expected[place], expected[other] = expected[other], expected[place]
    assert generator().sample(items, 3) == expected[:3]
    share = (first >> 11) / 2**53
    assert generator().choices("ab", [1, 3]) == ["a" if share * 4 < 1 else "b"]


def test_shuffle_equals_that_of_the_deals() -> None:
    items = list("abcdefgh")
    generator().shuffle(items)
    assert tuple(items) == Chance(SEED, 7).shuffled("abcdefgh", "bot 0")


def test_nothing_is_drawn_from_pythons_own_generator(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = generator()
    for name in ("random", "getrandbits", "sample", "shuffle", "choice", "choices"):
        monkeypatch.setattr(random.Random, name, lambda *_, **__: pytest.fail("drawn from elsewhere"))
    everything = [drawn.random(), drawn.choice("ab"), drawn.sample("abc", 2), drawn.choices("ab", k=2)]
    drawn.shuffle([1, 2, 3])
    drawn.randrange(10)
    assert len(everything) == 4


@pytest.mark.parametrize("count", [-1, 4])
def test_sample_larger_than_its_population_is_refused(count: int) -> None:
    with pytest.raises(ValueError, match="sample"):
        generator().sample("abc", count)
