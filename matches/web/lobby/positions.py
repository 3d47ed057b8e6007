"""A sample position of each game: from the middle of a match of bots with a fixed seed."""

from functools import cache

from games import catalogue
from games.drawing.themes import SEAT_LETTERS
from games.kernel import SPECTATOR, Chance, Table
from matches.reads.pictures import THEMES, ThemeName

_SEED = bytes([7]) * 32
_MOVES = {
    "contest": 11,
    "higher_or_lower": 66,
    "peeling_the_banana": 40,
    "pentagram": 32,
    "pyramid_poker": 34,
    "reality_benders": 24,
}
_MOVES_OF_OTHERS = 4


@cache
def position_of(slug: str, theme: ThemeName) -> bytes:
    """Return the game's table as an SVG document, as a spectator sees it; always the same one."""
    board, table = catalogue[slug].board, _played(slug)
    names = [f"Seat {letter}" for letter in SEAT_LETTERS[: table.seats]]
    drawn = board.parts(table.witness(SPECTATOR), viewer=SPECTATOR, theme=THEMES[theme], names=names)
    return drawn[0].drawn.encode()


@cache
def _played(slug: str) -> Table:
    """Return a table at which bots have made some moves."""
    game, chance = catalogue[slug], Chance(seed=_SEED)
    table = Table(game, seats=game.seats.min, chance=chance)
    for move in range(_MOVES.get(slug, _MOVES_OF_OTHERS)):
        table.settle()
        if not table.due.seats:
            break
        seat = table.due.seats[0]
        table.act(seat, game.choose(table.witness(seat), seat, chance.draws(f"bot {seat} move {move}")))
    table.settle()
    return table
