"""The table of a lesson at each step. Its match is real: the rules check every move of the script."""

from games.kernel import judge
from games.kernel.chance import Chance
from games.kernel.game import Game
from games.kernel.illegal import Illegal
from games.kernel.lesson import LEARNER, Lesson
from games.kernel.messages import Command
from games.kernel.table import Table


def tables(game: Game, lesson: Lesson) -> tuple[Table, ...]:
    """Return the table at the beginning of each step, in order; raise Illegal if the script breaks a rule."""
    table = Table(game, lesson.options, game.seats.min, LEARNER, Chance(lesson.seed))
    table.settle()
    play(table, lesson.before)
    tables_by_step = []
    for step in lesson.steps:
        tables_by_step.append(Table.replay(game, table.options, table.seats, table.priority, table.log))
        if step.does:
            table.act(LEARNER, read(table, step.does))
            table.settle()
        play(table, step.then)
    return tuple(tables_by_step)


def read(table: Table, text: str) -> Command:
    """Return the learner's command from its text; raise Illegal("malformed")."""
    return table.game.notation.parse(table.witness(LEARNER), LEARNER, text)


def brings_the_same(table: Table, lesson: Lesson, one: Command, other: Command) -> bool:
    """True if two of the learner's commands produce the same events here; raise Illegal if either is refused."""
    chance = Chance(lesson.seed, table.version)
    first, second = (judge.act(table.game, table.state, LEARNER, command, chance) for command in (one, other))
    return first == second


def play(table: Table, moves: str) -> None:
    """Play moves joined by `; `, each by the seat of the first prompt; raise Illegal."""
    for text in filter(None, moves.split("; ")):
        if not table.due.seats:
            raise Illegal("no_prompt", f"Nobody is asked for {text!r}.")
        seat = table.due.seats[0]
        table.act(seat, table.game.notation.parse(table.witness(seat), seat, text))
        table.settle()
