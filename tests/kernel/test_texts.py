"""Tests of texts that the log names by commitments."""

from typing import Any

import pytest
from msgspec import Struct

from games.kernel import WITHDRAWN, Chance, KeptText, keep_text, read_text, texts_in, to_json, with_texts


class Value(Struct, frozen=True):
    """A value with texts in several places."""

    text: str | KeptText
    inner: tuple[dict[str, Any], ...] = ()


def test_text_is_read_back_from_the_parts_that_were_kept() -> None:
    chance = Chance(seed=b"x").salted(Chance(b"salts"))
    text = keep_text("hello", chance)
    beside = Chance(seed=b"x", parts=chance.kept)
    assert read_text(text, beside) == read_text(to_json(text), beside) == "hello"
    assert read_text("hello", beside) == "hello"
    assert read_text(text, Chance(seed=b"x")) is None


def test_equal_texts_have_other_commitments_by_their_number_and_salts() -> None:
    commitments = set()
    for salts in (b"1", b"2"):
        chance = Chance(seed=b"x").salted(Chance(salts))
        commitments |= {keep_text("yes", chance).text for _ in range(2)}
    assert len(commitments) == 4


def test_salts_do_not_follow_from_the_seed() -> None:
    drawn = keep_text("yes", Chance(seed=b"x"))
    salted = keep_text("yes", Chance(seed=b"x").salted(Chance(b"salts")))
    assert drawn != salted
    assert salted == keep_text("yes", Chance(seed=b"another seed").salted(Chance(b"salts")))


def test_a_copy_of_a_chance_keeps_its_salts_and_no_texts_of_another_act() -> None:
    chance = Chance(seed=b"x").salted(Chance(b"salts"))
    keep_text("one", chance)
    later = chance.at(3)
    assert later.salts is chance.salts and later.kept == {}


def test_texts_are_put_in_their_places_and_others_are_withdrawn() -> None:
    one, other = KeptText("1" * 64), KeptText("2" * 64)
    value = Value(one, ({"word": to_json(other), "number": 3}, {"word": "plain"}))
    assert list(texts_in(value)) == [("text", one.text), ("inner.0.word", other.text)]
    assert list(texts_in(to_json(value))) == list(texts_in(value))
    display = with_texts(value, {one.text: "hello"})
    assert display == Value("hello", ({"word": WITHDRAWN, "number": 3}, {"word": "plain"}))
    assert with_texts(to_json(value), {one.text: "hello"}) == to_json(display)


@pytest.mark.parametrize(
    "value", [{"text": "no commitment"}, {"text": "a" * 64, "more": 1}, {"text": 7}, "a" * 64, None]
)
def test_only_an_object_with_a_commitment_stands_for_a_text(value: Any) -> None:
    assert list(texts_in(value)) == [] and with_texts(value, {}) is value
