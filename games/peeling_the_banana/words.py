"""What people call the things of the game, and what each does; the notation has names of its own."""

from collections.abc import Mapping, Sequence
from typing import Final

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
    **{kind: f"{coins} coins" for kind, coins in COINS.items()},
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
"""By kind of card and by upgrade; other coins, and pieces of an organiser's own, are called by their kind."""

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
"""What specials and upgrades do, as short as a card is narrow."""

_UNCOUNTED: Final = (*UPGRADES, "seconds")


def name_of(card: str) -> str:
    """`ell4#1`, or its kind -> `Ell`; `coins5` -> `5 coins`; an own `long_snake` -> `Long snake`."""
    kind = kind_of(card)
    coins = coins_of(kind)
    return NAMES.get(kind) or (count(coins, "coin") if coins else kind.replace("_", " ").capitalize())


def short_of(kind: str, shapes: Mapping[str, Offsets]) -> str:
    """What a card or an upgrade does, as short as a card is narrow."""
    if kind in shapes:
        return f"fills {len(shapes[kind])}"
    return "to your purse" if coins_of(kind) else _SHORT[kind]


def one(card: str) -> str:
    """`ell4#1` -> `an Ell`; what isn't counted goes without."""
    name = name_of(card)
    if kind_of(card) in _UNCOUNTED or coins_of(kind_of(card)):
        return name
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"


def the(card: str) -> str:
    """`ell4#1` -> `the Ell`."""
    return name_of(card) if kind_of(card) == "seconds" else f"the {name_of(card)}"


def listed(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def count(number: int, thing: str) -> str:
    """`1 coin`, `2 coins`."""
    return f"{number} {thing}" if abs(number) == 1 else f"{number} {thing}s"


def passing_over(cards: Sequence[str]) -> str:
    """What becomes of the cards above the one that is played, as a sentence; empty where there are none."""
    if not cards:
        return ""
    alone = len(cards) == 1 and coins_of(kind_of(cards[0])) < 2
    return f"Passing over {listed([the(card) for card in cards])} discards {'it' if alone else 'them'}."
