"""The table of a lesson at each of its steps. Its match is a true one: the table judges every move of the script."""

from games.kernel import judge
from games.kernel.chance import Chance
from games.kernel.game import Game
from games.kernel.illegal import Illegal
from games.kernel.lesson import LEARNER, Lesson
from games.kernel.messages import Command
from games.kernel.table import Table


def tables(game: Game, lesson: Lesson) -> tuple[Table, ...]:
    """The table as each step finds it, in order; raises Illegal where the script breaks a rule."""
    table = Table(game, lesson.options, game.seats.min, LEARNER, Chance(lesson.seed))
    table.settle()
    play(table, lesson.before)
    found = []
    for step in lesson.steps:
        found.append(Table.replay(game, table.options, table.seats, table.priority, table.log))
        if step.does:
            table.act(LEARNER, read(table, step.does))
            table.settle()
        play(table, step.then)
    return tuple(found)


def read(table: Table, text: str) -> Command:
    """The learner's command from its text; raises Illegal("malformed")."""
    return table.game.notation.parse(table.witness(LEARNER), LEARNER, text)


def brings_the_same(table: Table, lesson: Lesson, one: Command, other: Command) -> bool:
    """Whether two of the learner's commands bring the same events here; raises Illegal where either isn't allowed."""
    chance = Chance(lesson.seed, table.version)
    first, second = (judge.act(table.game, table.state, LEARNER, command, chance) for command in (one, other))
    return first == second


def play(table: Table, moves: str) -> None:
    """Moves with `; ` in between, each by the seat that is asked first; raises Illegal."""
    for text in filter(None, moves.split("; ")):
        if not table.due.prompts:
            raise Illegal("no_prompt", f"Nobody is asked for {text!r}.")
        seat = table.due.prompts[0].seat
        table.act(seat, table.game.notation.parse(table.witness(seat), seat, text))
        table.settle()
