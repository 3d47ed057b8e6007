"""The material: nine spells, the rules between them, three items, and cast spells."""

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

DOES: Final = {
    "A": "A point if the duel is a tie.",
    "B": "Two spells get a rule each way.",
    "C": "Name your next spell: a point unless it loses.",
    "D": "Every rule at one spell turns around.",
    "E": "Every rule at one spell is destroyed.",
    "F": "Name the other’s spell: if right, you win.",
    "G": "All points of this duel count twice.",
    "H": "The shortest ways from one to another go.",
    "I": "Take one of three spells the other offers.",
}
"""The effect of each spell, in a few words."""

TARGETS: Final = {"A": 0, "B": 2, "C": 1, "D": 1, "E": 1, "F": 1, "G": 0, "H": 2, "I": 0}
"""The number of targets of each spell."""

OFFERED: Final = SPELLS[:-1]
"""The spells that can be offered for Imagination: all but itself."""

ITEMS: Final = ("bonus", "break", "bridge")

RULES: Final = tuple(f"{x}>{y}" for x in SPELLS for y in SPELLS if x != y)
"""The 72 possible rules, sorted."""

Rule = Annotated[str, Meta(pattern=r"^[^>\s]+>[^>\s]+$(?!\n)", examples=["A>D"])]


class Casting(Struct, frozen=True):
    """A spell as a seat cast it; `bonus` is true if the item was used with it."""

    seat: int
    spell: str
    targets: tuple[str, ...]
    bonus: bool


class ItemUse(Struct, frozen=True):
    """A bridge or a break, and the rule it was used on."""

    seat: int
    item: str
    rule: str
