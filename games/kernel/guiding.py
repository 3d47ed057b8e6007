"""The tables at the moments of a guide. Its matches are true ones: the table judges every move."""

from collections.abc import Iterator

from games.kernel.chance import Chance
from games.kernel.game import Game
from games.kernel.guide import Figure, Guide, Script
from games.kernel.messages import Event, type_name
from games.kernel.table import Table
from games.kernel.teaching import play


def cover_table(game: Game, guide: Guide) -> Table:
    """The table of the cover; raises Illegal where the script breaks a rule."""
    return next(_moments(game, guide.cover_script, (guide.cover,)))


def example_tables(game: Game, guide: Guide) -> tuple[Table, ...]:
    """The tables of the example's figures, in order; raises Illegal where the script breaks a rule."""
    return tuple(_moments(game, guide.example_script, guide.example))


def _moments(game: Game, script: Script, figures: tuple[Figure, ...]) -> Iterator[Table]:
    table = Table(game, script.options, script.seats, 0, Chance(script.seed))
    table.settle()
    play(table, script.moves)
    shown = table.version
    for figure in figures:
        play(table, figure.then)
        shown = _first(figure.until, table.log, shown) if figure.until else table.version
        yield Table.replay(game, table.options, table.seats, table.priority, table.log[:shown])


def _first(kind: str, log: tuple[Event, ...], after: int) -> int:
    """The version at the first event of this type since version `after`; raises StopIteration where there is none."""
    return next(version for version, event in enumerate(log, 1) if version > after and type_name(type(event)) == kind)
