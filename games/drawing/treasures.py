"""Drawings of a season's prizes: a garnet, a lost garnet, a token of life."""

from typing import Final

from games.drawing.elements import tidy

GARNET: Final = (
    '<path fill="#c2385c" d="M13 1 1 10h7z"/><path fill="#e8708c" d="M13 1 8 10h10z"/>'
    '<path fill="#a9244a" d="m13 1 5 9h7z"/><path fill="#8a1735" d="M1 10h7l5 19z"/>'
    '<path fill="#b42a4f" d="M8 10h10l-5 19z"/><path fill="#660e25" d="M25 10h-7l-5 19z"/>'
)
"""26 wide and 30 high."""
GARNET_GONE: Final = (
    '<path fill="none" stroke="currentColor" stroke-width="1.6" stroke-linejoin="round" '
    'd="M13 2 24.5 10 13 28.5 1.5 10zM1.5 10h23M13 2 8 10l5 18.5L18 10z"/>'
)
"""26 wide and 30 high, in the colour of the text."""
COIN: Final = (
    '<circle cx="16" cy="17.5" r="14.5" fill="#8a6412"/><circle cx="16" cy="15.5" r="14.5" fill="#e0b347"/>'
    '<circle cx="16" cy="15.5" r="11.5" fill="none" stroke="#8a6412" stroke-width="1.4" stroke-dasharray="1.6 1.4"/>'
    '<path fill="#5f4209" d="M16.4 6.8c.6 3.4 5.6 5.4 5.6 10.2a6 6 0 0 1-12 0c0-2.6 1.3-4.2 2.6-5.6.2 1.5.7 2.4 1.6 3'
    '-.4-3 .5-5.8 2.2-7.6z"/><path fill="#f6d986" d="M16 22.6a2.7 2.7 0 0 1-2.7-2.8c0-1.7 1.5-2.4 2.5-4.3 1.3 1.5 '
    '2.9 2.4 2.9 4.3a2.7 2.7 0 0 1-2.7 2.8z"/>'
)
"""32 wide and 32 high: a coin with a flame."""

_HIGH: Final = {GARNET: 30, GARNET_GONE: 30, COIN: 32}


def placed(thing: str, x: float, y: float, height: float) -> str:
    """Return one of the drawings with its top left corner at x, y, scaled to this height."""
    scale = round(height / _HIGH[thing], 3)
    return f'<g transform="translate({tidy(x)} {tidy(y)}) scale({scale})">{thing}</g>'
