"""Numbers with their nouns, and sentences that count."""

import pytest

from games.contest.content import Condition, Default, Round
from games.contest.explaining import condition, demand, silence
from games.contest.fields import Text
from games.kernel import quantity


@pytest.mark.parametrize(
    ("number", "expected"), [(0, "0 coins"), (1, "1 coin"), (-1, "-1 coin"), (2, "2 coins"), (1500, "1,500 coins")]
)
def test_quantity_has_the_noun_in_its_number(number: int, expected: str) -> None:
    assert quantity(number, "coin") == expected


def test_quantity_takes_an_irregular_plural() -> None:
    assert [quantity(it, "match is", "matches are") for it in (1, 2)] == ["1 match is", "2 matches are"]


def test_sentences_of_a_contest_count_one_in_the_singular() -> None:
    of_round = Round(name="last", default=Default(penalty=1), needs=Condition(least=1, most=1))
    sentences = (silence(of_round), condition(of_round), demand(Text(name="word", most=1)))
    assert "lose 1 point." in sentences[0]
    assert sentences[1:] == ("It is played only if exactly 1 player is left.", "At most 1 character.")
