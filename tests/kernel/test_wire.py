"""Values survive JSON, and canonical bytes are what any JSON library writes with sorted keys."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

from games.kernel import Illegal, canonical, from_json, json_text, to_json
from games.kernel.wire import SAFE_INTEGER, read_strictly

PROFILE = settings(derandomize=True, database=None)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-SAFE_INTEGER, SAFE_INTEGER) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


class Purse(Struct, frozen=True):
    """Coins, by colour too."""

    coins: int
    name: str | None = None
    by_colour: dict[int, int] = {}
    spent: tuple[int, ...] = ()


@PROFILE
@given(PLAIN)
def test_canonical_bytes_are_sorted_json_without_spaces(value: Any) -> None:
    written = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert canonical(value) == written.encode()


@PROFILE
@given(PLAIN)
def test_plain_values_are_encoded_unchanged(value: Any) -> None:
    assert to_json(value) == value == json.loads(canonical(value))


@PROFILE
@given(st.integers(), st.none() | st.text(), st.dictionaries(st.integers(0, 9), st.integers()), st.lists(st.integers()))
def test_integers_of_any_size_are_decoded_equal(
    coins: int, name: str | None, by_colour: dict[int, int], spent: list[int]
) -> None:
    purse = Purse(coins, name, by_colour, tuple(spent))
    assert from_json(json.loads(canonical(purse)), Purse) == purse


@pytest.mark.parametrize("value", [2**53 - 1, 2**53, -(2**53), 9999999999999999, 1234567890123456, 2**70, 10**15])
def test_json_text_is_that_of_the_narrowed_value(value: int) -> None:
    assert json.loads(json_text([value, str(value)])) == [to_json(value), str(value)]


@pytest.mark.parametrize("name", ["null", "None", "true", "5", "99999999999999999999", ""])
def test_words_that_look_like_other_values_stay_words(name: str) -> None:
    assert from_json(to_json(Purse(1, name)), Purse).name == name


def test_integers_beyond_json_numbers_are_encoded_as_strings() -> None:
    assert to_json([2**53 - 1, 2**53, -(2**53), True]) == [2**53 - 1, str(2**53), str(-(2**53)), True]
    assert to_json(Purse(2**70, by_colour={3: 2**60}))["by_colour"] == {"3": str(2**60)}


def test_a_large_integer_from_outside_may_be_a_string_and_a_small_one_may_not() -> None:
    assert read_strictly({"coins": str(2**60)}, Purse, "malformed").coins == 2**60
    assert read_strictly({"coins": 2**60}, Purse, "malformed").coins == 2**60
    for coins in ("5", str(2**53 - 1), "1e20", "0" * 20, "9" * 5000, 1.0, True, None, float("nan"), [2**60]):
        with pytest.raises(Illegal) as refused:
            read_strictly({"coins": coins}, Purse, "malformed")
        assert refused.value.code == "malformed" and refused.value.message.endswith(".")


def test_a_refusal_names_the_field() -> None:
    with pytest.raises(Illegal, match="coins"):
        read_strictly({"coins": "many"}, Purse, "malformed")
