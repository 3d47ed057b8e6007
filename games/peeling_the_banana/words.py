"""The English names and short descriptions of cards and upgrades; the notation has other names."""

from collections.abc import Mapping, Sequence
from typing import Final

from games.kernel import quantity
from games.peeling_the_banana.pieces import COINS, UPGRADES, Offsets, coins_of, kind_of

NAMES: Final = {
    "domino": "Pair",
    "line3": "Line of 3",
    "corner3": "Corner",
    "line4": "Line of 4",
    "tee4": "Tee",
    "skew4": "Zigzag",
    "ell4": "Ell",
    "square4": "Square",
    "pent_p": "Thumb",
    "pent_v": "Boomerang",
    **{kind: quantity(coins, "coin") for kind, coins in COINS.items()},
    "bite": "Bite",
    "seconds": "Seconds",
    "slip": "Slip",
    "graft": "Graft",
    "regrow": "Regrow",
    "tumble": "Tumble",
    "income": "Income",
    "reach": "Reach",
    "haggle": "Haggle",
}
"""Names by kind of card and upgrade; the names of other coins and own pieces are derived from their kind."""

_SHORT: Final = {
    "bite": "fills any one",
    "seconds": "play one more",
    "slip": "takes a card",
    "graft": "shares a card",
    "regrow": "back on top",
    "tumble": "shuffles all",
    "income": "+1 every turn",
    "reach": "one more card",
    "haggle": "all 1 cheaper",
}
"""The effects of specials and upgrades, short enough for a card."""

_UNCOUNTED: Final = (*UPGRADES, "seconds")


def name_of(card: str) -> str:
    """Return the name of a card or kind: `ell4#1` -> `Ell`; `coins5` -> `5 coins`; `long_snake` -> `Long snake`."""
    kind = kind_of(card)
    coins = coins_of(kind)
    return NAMES.get(kind) or (quantity(coins, "coin") if coins else kind.replace("_", " ").capitalize())


def short_of(kind: str, shapes: Mapping[str, Offsets]) -> str:
    """Return the effect of a card or an upgrade, short enough for a card."""
    if kind in shapes:
        return f"fills {len(shapes[kind])}"
    return "to your purse" if coins_of(kind) else _SHORT[kind]


def one(card: str) -> str:
    """Return the name with the indefinite article: `ell4#1` -> `an Ell`; uncountable names get none."""
    name = name_of(card)
    if kind_of(card) in _UNCOUNTED or coins_of(kind_of(card)):
        return name
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"


def the(card: str) -> str:
    """Return the name with the definite article: `ell4#1` -> `the Ell`."""
    return name_of(card) if kind_of(card) == "seconds" else f"the {name_of(card)}"


def listed(words: Sequence[str]) -> str:
    """Join words: `a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def passing_over(cards: Sequence[str]) -> str:
    """Describe the discarding of the cards above the played one in a sentence; empty without any."""
    if not cards:
        return ""
    alone = len(cards) == 1 and coins_of(kind_of(cards[0])) < 2
    return f"Passing over {listed([the(card) for card in cards])} discards {'it' if alone else 'them'}."
