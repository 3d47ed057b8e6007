"""Over which options the laws are run; nothing is secret in this game."""

from games.peeling_the_banana.pieces import ITEMS, KINDS, UPGRADES
from tests.laws.settings import between, maybe, numbered, one_of

OPTIONS = maybe(
    reshuffle=one_of("short", "empty"),
    own_cards=one_of([{}, {"slip": 2}], [{"seconds": 2, "graft": 1}, {"bite": 1}]),
    starting_coins=one_of([0, 0], [99, 0], [0, 7]),
    income=one_of(0, 1, 20),
    board=one_of(["#"], ["##.", ".##"], ["####"] * 3, [".".join("#" * 10)] * 20),
    deck=numbered(KINDS, between(1, 3), at_least=1),
    shop=numbered(ITEMS, between(1, 6)),
    turns=between(1, 25),
    upgrades=numbered(tuple(UPGRADES), between(0, 9)),
    content=one_of(
        {
            "shapes": {"snake": ["##..", ".###"], "plus": [".#.", "###", ".#."]},
            "deck": {"snake": 3, "plus": 2, "coins5": 2, "bite": 1, "graft": 1, "seconds": 1},
            "shop": {"plus": 3, "coins1": 1, "haggle": 2},
        },
        {"board": [".##.", "####"], "upgrades": {"reach": 9}, "deck": {"tee4": 2, "coins20": 1}},
        {"own_cards": [{"seconds": 1}, {"tumble": 1}], "starting_coins": [3, 4], "income": 2},
    ),
)
