"""The games on the shelf: title, description, number of players."""

import re
from functools import cache

from msgspec import Struct

from games import catalogue
from games.kernel import Game

_PARAGRAPH = re.compile(r"\A#[^\n]*\n\s*(?P<text>(?:[^\n#]+\n)+)")
_FIRST = "pyramid_poker"


class ShelfEntry(Struct, frozen=True):
    """A game on the shelf; `gist` is the first sentence of `about`; with `teaches` it has a lesson."""

    slug: str
    title: str
    about: str
    gist: str
    players: str
    teaches: bool


@cache
def shelf() -> tuple[ShelfEntry, ...]:
    """Return every game, by title."""
    return tuple(shelf_entry(game) for game in sorted(catalogue.values(), key=lambda game: game.title))


def first() -> ShelfEntry:
    """Return the game for beginners: it starts with one click, and the next click is a move."""
    return next((game for game in shelf() if game.slug == _FIRST), shelf()[0])


def shelf_entry(game: Game) -> ShelfEntry:
    seats = game.seats
    players = f"{seats.min} players" if seats.min == seats.max else f"{seats.min} to {seats.max} players"
    description = about(game)
    gist = f"{description.partition('. ')[0].rstrip('.')}."
    return ShelfEntry(game.slug, game.title, description, gist, players, game.lesson is not None)


def about(game: Game) -> str:
    """Return the first paragraph of the game's rules."""
    match = _PARAGRAPH.match(game.readme)
    return " ".join(match["text"].split()) if match else ""
