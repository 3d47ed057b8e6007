"""The colours of boards and pages, by name: as CSS variables for the web, resolved for pictures."""

import string
from dataclasses import dataclass, replace
from typing import Final

from games.kernel import MOST_SEATS


@dataclass(frozen=True)
class Theme:
    """Named colours. A name is its CSS variable's with underscores: `seat_a_soft` is `--seat-a-soft`.

    `stage` is the background of boards, `paper` of pages, `inset` of a sunken part of either; `line` is for
    decoration, `edge` for the borders of controls. `on_...` is the colour of text on that colour.
    """

    paper: str
    stage: str
    inset: str
    line: str
    edge: str
    ink: str
    muted: str
    faint: str
    accent: str
    on_accent: str
    accent_soft: str
    turn: str
    turn_deep: str
    brass: str
    brass_soft: str
    gold: str
    gold_soft: str
    ok: str
    ok_soft: str
    warn: str
    bad: str
    bad_soft: str
    focus: str

    seat_a: str
    seat_a_soft: str
    seat_b: str
    seat_b_soft: str
    seat_c: str
    seat_c_soft: str
    seat_d: str
    seat_d_soft: str
    seat_e: str
    seat_e_soft: str
    on_seat: str

    cell: str
    cell_off: str
    cell_line: str
    brick: str
    brick_line: str
    brick_deep: str
    on_brick: str
    well: str
    card: str
    card_line: str
    card_deep: str
    card_back: str
    card_back_line: str

    suit_s: str
    suit_h: str
    suit_d: str
    suit_c: str

    banana: str
    banana_line: str
    peel: str
    peel_deep: str
    stem: str
    piece: str
    piece_deep: str
    piece_a: str
    piece_a_deep: str
    piece_b: str
    piece_b_deep: str
    ticket: str
    ticket_line: str
    ticket_deep: str
    on_ticket: str
    coin: str
    coin_deep: str
    on_coin: str
    ghost_ok: str
    ghost_bad: str

    cyan: str
    cyan_soft: str
    pink: str
    pink_soft: str
    grey: str
    grey_soft: str

    c_orange: str
    c_yellow: str
    c_black: str
    c_purple: str
    c_blue: str
    on_bright: str
    on_deep: str
    feed: str
    drain: str

    fruit_a: str
    fruit_a_deep: str
    fruit_b: str
    fruit_b_deep: str
    fruit_c: str
    fruit_c_deep: str
    fruit_d: str
    fruit_d_deep: str
    fruit_e: str
    fruit_e_deep: str
    leaf: str

    def seat(self, seat: int) -> str:
        """Return the colour of a seat; seats are counted from 0. Colours repeat, letters don't."""
        colour: str = getattr(self, f"seat_{_COLOURS[seat_colour(seat)]}")
        return colour

    def seat_soft(self, seat: int) -> str:
        """Return the light colour of items that belong to a seat."""
        colour: str = getattr(self, f"seat_{_COLOURS[seat_colour(seat)]}_soft")
        return colour


_COLOURS: Final = "abcde"
_LETTERS = string.ascii_uppercase
SEAT_LETTERS: Final = (*_LETTERS, *(f"A{letter}" for letter in _LETTERS))[:MOST_SEATS]
"""The letters of the seats in pictures, A to Z and then AA to AD, so that no information is given by colour alone."""


def seat_colour(seat: int) -> int:
    """Return the number of a seat's colour."""
    return seat % len(_COLOURS)


LIGHT: Final = Theme(
    paper="#f6f4f1",
    stage="#fffdf9",
    inset="#efebe6",
    line="#d9d3ca",
    edge="#8f8679",
    ink="#1d1a17",
    muted="#5b544c",
    faint="#665f56",
    accent="#9b1b3b",
    on_accent="#ffffff",
    accent_soft="#f8e3e8",
    turn="#9b1b3b",
    turn_deep="#6f0f28",
    brass="#b98d2f",
    brass_soft="#e9d9b4",
    gold="#8a6100",
    gold_soft="#faefd2",
    ok="#0d7350",
    ok_soft="#dff3ea",
    warn="#8f5f00",
    bad="#b42318",
    bad_soft="#fbe4e1",
    focus="#6d28d9",
    seat_a="#0b6bcb",
    seat_a_soft="#d9e9fa",
    seat_b="#b8500b",
    seat_b_soft="#fbe6d6",
    seat_c="#14421a",
    seat_c_soft="#dcefdf",
    seat_d="#6b1470",
    seat_d_soft="#f3e0f4",
    seat_e="#746d60",
    seat_e_soft="#eae6df",
    on_seat="#ffffff",
    cell="#ffffff",
    cell_off="#e7e1d9",
    cell_line="#c9c1b6",
    brick="#c9b79c",
    brick_line="#9d8a6c",
    brick_deep="#8a7658",
    on_brick="#2a2015",
    well="#ebe5db",
    card="#fffefb",
    card_line="#cfc7ba",
    card_deep="#bfb5a5",
    card_back="#6d2338",
    card_back_line="#c98c9d",
    suit_s="#1d1a17",
    suit_h="#b42318",
    suit_d="#7d5200",
    suit_c="#0b6b49",
    banana="#ffe9a3",
    banana_line="#8a6410",
    peel="#dcab2f",
    peel_deep="#8a6410",
    stem="#5a4322",
    piece="#4f8f60",
    piece_deep="#2b5a39",
    piece_a="#0b6bcb",
    piece_a_deep="#064a90",
    piece_b="#b8500b",
    piece_b_deep="#7c3406",
    ticket="#f5ecdc",
    ticket_line="#cdb88f",
    ticket_deep="#a8987a",
    on_ticket="#2a2118",
    coin="#e9bd45",
    coin_deep="#9a7019",
    on_coin="#3d2b05",
    ghost_ok="#0d7350",
    ghost_bad="#b42318",
    cyan="#0b7d94",
    cyan_soft="#d3f0f5",
    pink="#9c0f45",
    pink_soft="#fbe0ea",
    grey="#83838c",
    grey_soft="#ececef",
    c_orange="#d95f0e",
    c_yellow="#f7d83a",
    c_black="#1d1d22",
    c_purple="#6b2fa0",
    c_blue="#56b4e9",
    on_bright="#14120f",
    on_deep="#ffffff",
    feed="#0b7a75",
    drain="#b42318",
    fruit_a="#c0392b",
    fruit_a_deep="#8f2318",
    fruit_b="#4460ab",
    fruit_b_deep="#25336b",
    fruit_c="#e8862a",
    fruit_c_deep="#c76a14",
    fruit_d="#8b9a3b",
    fruit_d_deep="#5d6a21",
    fruit_e="#6d3a78",
    fruit_e_deep="#4b2350",
    leaf="#5d8a3a",
)

DARK: Final = Theme(
    paper="#131113",
    stage="#1c191c",
    inset="#272327",
    line="#383238",
    edge="#7d727d",
    ink="#f3eef1",
    muted="#bdb3ba",
    faint="#958a92",
    accent="#e35b7f",
    on_accent="#21060e",
    accent_soft="#3a1722",
    turn="#a02447",
    turn_deep="#701530",
    brass="#a58338",
    brass_soft="#4a3d24",
    gold="#e5b94a",
    gold_soft="#3a2f12",
    ok="#4cc38a",
    ok_soft="#12352a",
    warn="#e5b94a",
    bad="#ff7b72",
    bad_soft="#43191a",
    focus="#c4a7ff",
    seat_a="#5aa9ff",
    seat_a_soft="#14304f",
    seat_b="#ff9d57",
    seat_b_soft="#4a2a12",
    seat_c="#abf5b8",
    seat_c_soft="#173a20",
    seat_d="#f8cafc",
    seat_d_soft="#3c2149",
    seat_e="#a485ad",
    seat_e_soft="#372c3a",
    on_seat="#120d10",
    cell="#231f23",
    cell_off="#18151a",
    cell_line="#463f46",
    brick="#c9b79c",
    brick_line="#9d8a6c",
    brick_deep="#8a7658",
    on_brick="#2a2015",
    well="#221e22",
    card="#2a252a",
    card_line="#4a424a",
    card_deep="#120f12",
    card_back="#5a1f30",
    card_back_line="#b8657c",
    suit_s="#f3eef1",
    suit_h="#ff7b72",
    suit_d="#e5b94a",
    suit_c="#4cc38a",
    banana="#ffe9a3",
    banana_line="#8a6410",
    peel="#dcab2f",
    peel_deep="#8a6410",
    stem="#5a4322",
    piece="#4f8f60",
    piece_deep="#2b5a39",
    piece_a="#0b6bcb",
    piece_a_deep="#064a90",
    piece_b="#b8500b",
    piece_b_deep="#7c3406",
    ticket="#f5ecdc",
    ticket_line="#cdb88f",
    ticket_deep="#a8987a",
    on_ticket="#2a2118",
    coin="#e9bd45",
    coin_deep="#9a7019",
    on_coin="#3d2b05",
    ghost_ok="#7fe0b0",
    ghost_bad="#e5484d",
    cyan="#3cc4dd",
    cyan_soft="#0d3a44",
    pink="#f0417f",
    pink_soft="#47122a",
    grey="#d2d2d8",
    grey_soft="#3a3a40",
    c_orange="#f28a3c",
    c_yellow="#f5d93a",
    c_black="#08080a",
    c_purple="#8d5bd6",
    c_blue="#7cc4ff",
    on_bright="#14120f",
    on_deep="#ffffff",
    feed="#4fd1c5",
    drain="#ff7b72",
    fruit_a="#d9503f",
    fruit_a_deep="#a3301f",
    fruit_b="#6f8be0",
    fruit_b_deep="#4059ab",
    fruit_c="#ee9a45",
    fruit_c_deep="#cf7620",
    fruit_d="#a5b54e",
    fruit_d_deep="#74822f",
    fruit_e="#a86bb8",
    fruit_e_deep="#7b4488",
    leaf="#78a851",
)

HOUSE: Final = replace(
    DARK,
    paper="#1a0910",
    stage="#240d15",
    inset="#351722",
    line="#542736",
    edge="#a0707f",
    ink="#fbf3ee",
    muted="#d9bcc2",
    faint="#c5a3ac",
    accent="#ef7b99",
    accent_soft="#4b1a2a",
    brass="#b98d2f",
    brass_soft="#6b4a26",
    gold="#edc463",
    gold_soft="#45300f",
    ok="#6fd6a4",
    bad="#ff9a92",
    on_seat="#1a0910",
    cell="#2f131d",
    cell_off="#1f0a12",
    cell_line="#6b3a4a",
    well="#2f131d",
    card=LIGHT.card,
    card_line=LIGHT.card_line,
    card_deep="#b5a78d",
    suit_s=LIGHT.suit_s,
    suit_h=LIGHT.suit_h,
    suit_d=LIGHT.suit_d,
    suit_c=LIGHT.suit_c,
)
"""The theme of shows and preview pictures, the same in light and dark mode. Suits appear only on cards."""

HOUSE_TABLE: Final = replace(
    HOUSE,
    card="#351722",
    card_line="#6d4150",
    card_deep="#1a0910",
    suit_s=DARK.suit_s,
    suit_h=DARK.suit_h,
    suit_d=DARK.suit_d,
    suit_c=DARK.suit_c,
)
"""`HOUSE` for a board in play: the text is light, so the cards are dark."""
