"""The tables at the positions of a guide. Its matches are real: the rules check every move."""

from collections.abc import Iterator

from games.kernel.chance import Chance
from games.kernel.game import Game
from games.kernel.guide import Figure, Guide, Script
from games.kernel.messages import Event, type_name
from games.kernel.table import Table
from games.kernel.teaching import play


def cover_table(game: Game, guide: Guide) -> Table:
    """Return the table of the cover; raise Illegal if the script breaks a rule."""
    return next(_positions(game, guide.cover_script, (guide.cover,)))


def example_tables(game: Game, guide: Guide) -> tuple[Table, ...]:
    """Return the tables of the example's figures, in order; raise Illegal if the script breaks a rule."""
    return tuple(_positions(game, guide.example_script, guide.example))


def _positions(game: Game, script: Script, figures: tuple[Figure, ...]) -> Iterator[Table]:
    table = Table(game, script.options, script.seats, 0, Chance(script.seed))
    table.settle()
    play(table, script.moves)
    shown = table.version
    for figure in figures:
        play(table, figure.then)
        shown = _version_of_first(figure.until, table.log, shown) if figure.until else table.version
        yield Table.replay(game, table.options, table.seats, table.priority, table.log[:shown])


def _version_of_first(kind: str, log: tuple[Event, ...], after: int) -> int:
    """Return the version of the first event of this type after version `after`; raise StopIteration without one."""
    return next(version for version, event in enumerate(log, 1) if version > after and type_name(type(event)) == kind)
