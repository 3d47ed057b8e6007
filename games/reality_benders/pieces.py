"""The material: nine spells, the rules between them, three items, and a spell as it was cast."""

from typing import Annotated, Final

from msgspec import Meta, Struct

SPELLS: Final = tuple("ABCDEFGHI")

NAMES: Final = {
    "A": "Armageddon",
    "B": "Build",
    "C": "Combo",
    "D": "Dizzy",
    "E": "Explosion",
    "F": "Foresight",
    "G": "Greed",
    "H": "Hellfire",
    "I": "Imagination",
}

TARGETS: Final = {"A": 0, "B": 2, "C": 1, "D": 1, "E": 1, "F": 1, "G": 0, "H": 2, "I": 0}
"""How many targets each spell is cast with."""

OFFERED: Final = SPELLS[:-1]
"""What Imagination can bring: every spell but itself."""

ITEMS: Final = ("bonus", "break", "bridge")

RULES: Final = tuple(f"{x}>{y}" for x in SPELLS for y in SPELLS if x != y)
"""The 72 rules there can be, sorted."""

Rule = Annotated[str, Meta(pattern=r"^[^>\s]+>[^>\s]+$", examples=["A>D"])]


class Casting(Struct, frozen=True):
    """A spell as a seat cast it; `bonus` tells whether the item was used with it."""

    seat: int
    spell: str
    targets: tuple[str, ...]
    bonus: bool


class ItemUse(Struct, frozen=True):
    """A bridge or a break, and the rule it was used on."""

    seat: int
    item: str
    rule: str
