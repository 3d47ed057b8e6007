"""The hands that the page of the rules shows."""

from games.pyramid_poker.guide import SHOWN
from games.pyramid_poker.pieces import CATEGORIES, category_of, strength


def test_every_example_hand_is_of_its_kind_and_better_kinds_come_first() -> None:
    hands = {kind: bricks.split() for kind, (bricks, _) in SHOWN.items()}
    assert {kind: category_of(hand) for kind, hand in hands.items()} == {kind: kind for kind in hands}
    assert set(hands) == set(CATEGORIES)
    assert list(hands) == sorted(hands, key=lambda kind: strength(hands[kind]), reverse=True)
