"""The games as they stand on the shelf: title, what they are, who can play."""

import re
from functools import cache

from msgspec import Struct

from games import catalogue
from games.drawing.themes import SEAT_LETTERS, WEB
from games.kernel import SPECTATOR, Game

_PARAGRAPH = re.compile(r"\A#[^\n]*\n\s*(?P<text>(?:[^\n#]+\n)+)")
_FIRST = "pyramid_poker"
_IDENTITY = re.compile(r' (?:id="cell-|tabindex="|role="|aria-[a-z]+="|data-[a-z]+=")[^"]*"')


class ShelfEntry(Struct, frozen=True):
    """A game on the shelf; `picture` is its board before the first move, for show."""

    slug: str
    title: str
    about: str
    players: str
    picture: str


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
    return ShelfEntry(game.slug, game.title, about(game), players, _picture(game))


def about(game: Game) -> str:
    """What the game is, in the words with which its rules begin."""
    found = _PARAGRAPH.match(game.readme)
    return " ".join(found["text"].split()) if found else ""


def _picture(game: Game) -> str:
    board = getattr(game, "board", None)
    if board is None:
        return ""
    state = game.open({}, game.seats.min, 0)
    names = [f"Seat {letter}" for letter in SEAT_LETTERS[: game.seats.min]]
    drawn = board.draw(state, viewer=SPECTATOR, theme=WEB, names=names)
    # Several pictures stand on one page, and screen readers are told the title instead.
    return _IDENTITY.sub("", drawn)
