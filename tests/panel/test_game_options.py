"""A game's options in the dialog that sets a match: read, judged, and refused in a sentence."""

import pytest

from tests.api.seasons import Cup
from tests.pages import as_read
from tests.panel.seasons import Bureau, bureau

BANANA, BENDERS = "peeling_the_banana-option", "reality_benders-option"
BOARDS = "higher_or_lower-option-boards"


@pytest.fixture(scope="module")
def office() -> Bureau:
    """A season whose death match is to be set."""
    cup = Cup(4)
    cup.main_match()
    office = bureau(cup)
    office.did("opponent", player=cup.living()[-2].id)
    return office


def test_invalid_game_options_are_named_before_the_match_is_set(office: Bureau) -> None:
    preview = office.foresees("death-match", game="pentagram", clocks="none", **{"pentagram-option-end": "never"})
    assert "death_match_scheduled" not in preview and "never" in preview


def test_refused_form_shows_the_options_as_typed(office: Bureau) -> None:
    sent = {"game": "peeling_the_banana", "clocks": "game", "peeling_the_banana-option-turns": "<8>"}
    page = as_read(office.send("death-match", **sent)).partition("data-open>")[2]
    assert 'data-of="peeling_the_banana" aria-label="Peeling the Banana"><details open>' in page
    assert 'name="peeling_the_banana-option-turns" value="&lt;8&gt;"' in page
    assert page.count("<details open>") == 1


@pytest.mark.parametrize(
    ("game", "field", "typed"),
    [
        ("pentagram", "pentagram-option-zero_column", "a\0b"),
        ("pentagram", "pentagram-option-target", "9" * 40),
        ("pentagram", "pentagram-option-target", "9" * 5_000),
        ("peeling_the_banana", f"{BANANA}-board", "#\0#"),
        ("peeling_the_banana", f"{BANANA}-board", "#" * 30_000),
        ("peeling_the_banana", f"{BANANA}-deck-nonsense", "1"),
        ("higher_or_lower", BOARDS, "[" * 5_000),
        ("higher_or_lower", BOARDS, "1e999"),
        ("higher_or_lower", BOARDS, '"\\ud800"'),
        ("higher_or_lower", BOARDS, '{"A": "\\u0000"}'),
        ("higher_or_lower", BOARDS, ""),
        ("reality_benders", f"{BENDERS}-rules", "A\0>B"),
    ],
)
def test_invalid_option_is_refused_and_changes_nothing(office: Bureau, game: str, field: str, typed: str) -> None:
    before, sent = office.version, {"game": game, "clocks": "none", field: typed}
    assert office.send("death-match", **sent).status_code == 422
    assert "death_match_scheduled" not in office.foresees("death-match", **sent)
    assert office.version == before
