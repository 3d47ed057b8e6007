"""No tampering with a record passes: nothing is changed, dropped or spelt in another way without being found."""

from random import Random

import pytest

from tests.matches.mutations import KINDS, records, status, tampered


@pytest.mark.slow
def test_no_kind_of_tampering_passes_with_any_game() -> None:
    """Of matches that a host has ended; `bin/bench mutations` tries thousands, whatever the ending."""
    rng, tried = Random(2), set()
    for slug, record in records("adjudicated", rng):
        assert status(record.text, record.key) == 0, slug
        for kind in KINDS:
            text = tampered(kind, record, rng)
            if text is not None:
                tried.add(kind)
                assert status(text, record.key) != 0, f"{slug}: {kind}"
    assert tried == set(KINDS)


def test_tampered_draw_over_spaces_is_refused() -> None:
    rng = Random(3)
    ((slug, record),) = records("played", rng, ["higher_or_lower"])
    assert status(record.text, record.key) == 0
    for kind in KINDS:
        if "draw" in kind or "drawn again" in kind:
            text = tampered(kind, record, rng)
            assert text is None or status(text, record.key) != 0, f"{slug}: {kind}"
