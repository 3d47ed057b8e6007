"""The games as they stand on the shelf: title, what they are, who can play."""

import re
from functools import cache

from msgspec import Struct

from games import catalogue
from games.kernel import Game

_PARAGRAPH = re.compile(r"\A#[^\n]*\n\s*(?P<text>(?:[^\n#]+\n)+)")
_FIRST = "pyramid_poker"


class ShelfEntry(Struct, frozen=True):
    """A game on the shelf; `gist` is the first sentence of what it is about; with `teaches` it has a lesson."""

    slug: str
    title: str
    about: str
    gist: str
    players: str
    teaches: bool


@cache
def shelf() -> tuple[ShelfEntry, ...]:
    """Every game, by title."""
    return tuple(shelf_entry(game) for game in sorted(catalogue.values(), key=lambda game: game.title))


def first() -> ShelfEntry:
    """The game for whoever has played none: one press and it has begun, and the next is a move."""
    return next((game for game in shelf() if game.slug == _FIRST), shelf()[0])


def shelf_entry(game: Game) -> ShelfEntry:
    """One game."""
    seats = game.seats
    players = f"{seats.min} players" if seats.min == seats.max else f"{seats.min} to {seats.max} players"
    told = about(game)
    gist = f"{told.partition('. ')[0].rstrip('.')}."
    return ShelfEntry(game.slug, game.title, told, gist, players, game.lesson is not None)


def about(game: Game) -> str:
    """What the game is, in the words with which its rules begin."""
    found = _PARAGRAPH.match(game.readme)
    return " ".join(found["text"].split()) if found else ""
