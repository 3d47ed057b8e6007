"""Over which options the laws are run; nothing is secret in this game."""

from games.peeling_the_banana.pieces import ITEMS, KINDS
from tests.laws.settings import between, maybe, numbered, one_of

OPTIONS = maybe(
    board=one_of(["#"], ["##.", ".##"], ["####"] * 3, [".".join("#" * 10)] * 20),
    deck=numbered(KINDS, between(1, 3), at_least=1),
    shop=numbered(ITEMS, between(1, 6)),
    turns=between(1, 25),
)
