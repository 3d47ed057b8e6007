"""The colours: readable on what they lie on, told apart by every eye, and one source for pages and pictures."""

import re

import pytest

from games.drawing.css import NAMES, WEB, css, variable
from games.drawing.themes import DARK, HOUSE, LIGHT, Theme
from tests.games.colours import EYES, contrast, least_distance

THEMES = {"light": LIGHT, "dark": DARK, "house": HOUSE}
GROUNDS = ("paper", "stage", "inset", "cell", "cell_off")
TEXT_ON: dict[str, tuple[str, ...]] = {
    "ink": (*GROUNDS, "seat_a_soft", "seat_b_soft", "seat_c_soft", "seat_d_soft", "seat_e_soft",
            "cyan_soft", "pink_soft", "grey_soft"),
    "muted": (*GROUNDS, "seat_a_soft", "seat_b_soft"),
    "faint": GROUNDS,
    "accent": ("paper", "stage", "cell"),
    "gold": ("paper", "stage", "gold_soft"),
    "ok": ("stage", "ok_soft"),
    "warn": ("stage",),
    "bad": ("stage", "bad_soft"),
    "on_accent": ("accent",),
    "on_seat": tuple(f"seat_{letter}" for letter in "abcde"),
    "seat_a": ("stage",), "seat_b": ("stage",), "seat_c": ("stage",), "seat_d": ("stage",), "seat_e": ("stage",),
    "feed": ("cell",),
    "drain": ("cell",),
    "on_bright": ("c_orange", "c_yellow", "c_blue"),
    "on_deep": ("c_black", "c_purple"),
    "on_brick": ("brick",),
    "on_ticket": ("ticket",),
    "on_coin": ("coin",),
}  # fmt: skip
"""Colours of text by their grounds; WCAG AA asks for a contrast of 4.5 to 1."""
DRAWN_ON: dict[str, tuple[str, ...]] = {
    **{f"suit_{letter}": ("seat_a_soft", "seat_b_soft", "stage") for letter in "shdc"},
    "edge": ("paper", "stage", "cell"),
    "focus": ("paper", "stage", "cell"),
    "accent": GROUNDS,
    "cyan": ("cyan_soft", "cell"),
    "pink": ("pink_soft", "cell"),
    "grey": ("grey_soft", "cell"),
    "banana_line": ("banana",),
    "piece": ("ticket",),
    "piece_a": ("banana",),
    "piece_b": ("banana",),
    "on_deep": ("piece_a", "piece_b"),
}
"""Colours of graphics by their grounds; WCAG AA asks for a contrast of 3 to 1."""
APART: dict[str, tuple[tuple[str, ...], float]] = {
    "two seats": (("seat_a", "seat_b"), 80),
    "five seats": (tuple(f"seat_{letter}" for letter in "abcde"), 24),
    "pentagram": (("c_orange", "c_yellow", "c_black", "c_purple", "c_blue"), 22),
    "tempo": (("cyan", "pink", "grey"), 12),
    "card sign": (("feed", "drain"), 26),
}
"""The least distance within a group, by CIE76; shapes, letters and bars tell the same beside."""


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_text_has_enough_contrast_on_its_background(theme: Theme) -> None:
    faint = _too_close(theme, TEXT_ON, 4.5)
    assert faint == []


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_marks_can_be_seen_on_what_they_lie_on(theme: Theme) -> None:
    # In the house lights cards are bright, and suits on nothing else.
    drawn_on = DRAWN_ON | {f"suit_{letter}": ("card",) for letter in "shdc"} if theme is HOUSE else DRAWN_ON
    faint = _too_close(theme, drawn_on, 3)
    assert faint == []


def _too_close(theme: Theme, pairs: dict[str, tuple[str, ...]], least: float) -> list[str]:
    contrasts = {
        f"{mark} on {ground}": contrast(getattr(theme, mark), getattr(theme, ground))
        for mark, grounds in pairs.items()
        for ground in grounds
    }
    return [f"{pair}: {ratio:.2f}" for pair, ratio in contrasts.items() if ratio < least]


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("group", APART)
@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_every_eye_tells_a_group_of_colours_apart(theme: Theme, group: str, eyes: str) -> None:
    names, least = APART[group]
    assert least_distance([getattr(theme, name) for name in names], eyes) >= least


def test_contrast_is_what_wcag_says_of_black_and_white() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_the_stylesheet_says_each_colour_that_pictures_on_the_web_ask_for(theme: Theme) -> None:
    colours = dict(re.findall(r"(--[a-z-]+): (#[0-9a-f]{6});", css(theme)))
    assert colours == {variable(name): getattr(theme, name) for name in NAMES}
    assert {getattr(WEB, name) for name in NAMES} == {f"var({name})" for name in colours}
