"""The changes of an event in a replay: places of the view, and words that are true for every reader."""

import pytest

from matches.web.play.differences import MOST, Difference, differences


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({"turn": 0}, {"turn": 1}, [("turn", "0", "1")]),
        ({"cards": [["a", None]]}, {"cards": [[None, None]]}, [("cards[0][0]", "a", "nothing to see")]),
        ({"brick": None}, {"brick": "10H"}, [("brick", "nothing to see", "10H")]),
        ({"workers": [[0, 1]]}, {"workers": [[]]}, [("workers[0]", "0 1", "nothing")]),
        ({}, {"spaces": {"C3": {"brick": None}}}, [("spaces", "", "C3: brick: nothing to see")]),
        ({"spaces": {"C3": 1}}, {"spaces": {}}, [("spaces.C3", "1", "")]),
        ({"same": [1, {"a": None}]}, {"same": [1, {"a": None}]}, []),
    ],
)
def test_each_changed_field_is_listed_with_old_and_new_value(
    before: object, after: object, expected: list[tuple[str, str, str]]
) -> None:
    assert differences(before, after) == [Difference(*each) for each in expected]


def test_a_long_list_of_changes_ends() -> None:
    assert len(differences([0] * 2 * MOST, [1] * 2 * MOST)) == MOST
