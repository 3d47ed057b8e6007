"""Tests of parts of the options that are committed to when a match opens."""

import pytest

from games.kernel import Chance, SealedPart, is_committed, read_part, seal

VALUE = {"answers": ["seven", 7]}


def test_part_is_read_back_beside_the_seed() -> None:
    commitment, part = seal(VALUE, "quiz", Chance(seed=b"x"))
    opened = read_part(commitment, Chance(seed=b"x", parts={commitment: part}).at(5))
    assert opened.value == VALUE and is_committed(opened, commitment)


def test_commitment_differs_by_seed_purpose_and_value() -> None:
    commitments = {
        seal(value, purpose, Chance(seed=seed))[0] for value in (1, 2) for purpose in "ab" for seed in (b"x", b"y")
    }
    assert len(commitments) == 8


def test_part_with_another_value_or_salt_is_not_committed() -> None:
    commitment, part = seal(VALUE, "quiz", Chance(seed=b"x"))
    opened = read_part(commitment, Chance(seed=None, parts={commitment: part}))
    assert not is_committed(SealedPart(opened.salt, {}), commitment)
    assert not is_committed(SealedPart("0" * 64, VALUE), commitment)


def test_part_that_is_not_kept_raises_a_lookup_error() -> None:
    with pytest.raises(LookupError):
        read_part("0" * 64, Chance(seed=b"x"))
