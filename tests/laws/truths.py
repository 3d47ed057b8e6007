"""Non-interference: what a witness gets depends on nothing that it wasn't told."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import islice
from random import Random
from typing import Any

from games.kernel import MOST_SEATS, Chance, Draws, Event, Game, Illegal, Table, Witness, fold, judge, redact, to_json
from games.kernel.sealing import Parts
from tests.laws.hostile import hostile_commands
from tests.laws.resampling import resampler_of

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", *(f"Player {number}" for number in range(6, MOST_SEATS + 1)))


@dataclass(frozen=True)
class Step:
    """A step at a table at a version: `act`, `deal` or `flag`; `seat` may be HOST."""

    version: int
    what: str
    seat: Any = -1
    command: Any = None


class Watched(Chance):
    """Chance of another seed that remembers whether anything was drawn."""

    def __init__(self, version: int, parts: Parts) -> None:
        super().__init__(seed=b"another chance", version=version, parts=parts)
        self.drawn = False

    def draws(self, purpose: str) -> Draws:
        """The words for one purpose; from now on the events depend on chance."""
        self.drawn = True
        return super().draws(purpose)


def perform(game: Game, state: Any, step: Step, chance: Chance) -> tuple[Event, ...]:
    """The events that the step brings at a state."""
    if step.what == "deal":
        return judge.deal(game, state, chance)
    if step.what == "flag":
        return judge.flag(game, state, step.seat, chance)
    return judge.act(game, state, step.seat, step.command, chance)


def check_other_truth(table: Table, steps: Sequence[Step], witness: Witness, rng: Random) -> int:
    """Law 4 for one witness at the table as it stands; gives how much was compared, 0 where it knows all."""
    log = resampler_of(table.game)(table, witness, rng)
    if log is None or tuple(log) == table.log:
        return 0
    other = Table.replay(table.game, table.options, table.seats, table.priority, log)
    assert other.events(witness) == table.events(witness), "resample changed what the witness was told"
    compared = table.version + _check_playable(table, other, steps, witness) + _check_alike(table, other, witness)
    if isinstance(witness, int):
        compared += _check_same_choices(table, other, witness)
        compared += _check_same_answers(table, other, witness, _asked(table, steps, witness, rng))
        compared += _check_same_bot(table, other, witness, rng.random())
    return compared


def _check_alike(table: Table, other: Table, witness: Witness) -> int:
    game, names = table.game, NAMES[: table.seats]
    assert to_json(other.witness(witness)) == to_json(table.witness(witness)), "the witness sees a secret in its state"
    assert other.due == table.due, "due depends on a secret"
    assert other.outcome == table.outcome, "the outcome depends on a secret"
    sentences = [[game.notation.sentence(redact(event, witness), names) for event in it.log] for it in (table, other)]
    assert sentences[0] == sentences[1], "a sentence tells a secret"
    boards = [game.text_board(it.witness(witness), witness) for it in (table, other)]
    assert boards[0] == boards[1], "the board shows a secret"
    return 4 + table.version


def _check_same_choices(table: Table, other: Table, seat: int) -> int:
    legal = [[to_json(command) for command in islice(it.legal(seat), 400)] for it in (table, other)]
    assert legal[0] == legal[1], f"legal tells seat {seat} a secret"
    return len(legal[0])


def _check_same_bot(table: Table, other: Table, seat: int, luck: float) -> int:
    """With equal witnesses and equal luck the bot moves alike: it reads nothing else."""
    if table.due.prompt_of(seat) is None:
        return 0
    moves = [table.game.bot(it.witness(seat), seat, Random(luck)) for it in (table, other)]
    assert moves[0] == moves[1], f"the bot of seat {seat} knows more than its witness"
    return 1


def _check_playable(table: Table, other: Table, steps: Sequence[Step], witness: Witness) -> int:
    """Every step that the witness saw whole is legal in the other truth, and brings what its log says.

    A step whose events depend on chance need only be legal.
    """
    game, compared = table.game, 0
    state, mirror = (fold(game, table.options, table.seats, table.priority, ()) for _ in range(2))
    for step, ends_at in zip(steps, [*(step.version for step in steps[1:]), table.version], strict=True):
        batch, twin = table.log[step.version : ends_at], other.log[step.version : ends_at]
        if all(redact(event, witness) == event for event in batch):
            chances = Watched(step.version, table.parts), Watched(step.version, table.parts)
            once, again = (perform(game, it, step, c) for it, c in zip((state, mirror), chances, strict=True))
            if not any(chance.drawn for chance in chances):
                assert (once, again) == (batch, twin), f"{step} brings {again}, not {twin}"
            compared += 1
        state, mirror = reduce(game.evolve, batch, state), reduce(game.evolve, twin, mirror)
    return compared


def _asked(table: Table, steps: Sequence[Step], seat: int, rng: Random) -> list[object]:
    """Return a legal command, some that were legal earlier in the match, and hostile ones."""
    legal = [to_json(command) for command in islice(table.legal(seat), 1)]
    earlier = [step.command for step in steps if step.what == "act"]
    stale = rng.sample(earlier, min(6, len(earlier)))
    return [*legal, *stale, *hostile_commands(table.game, legal[0] if legal else {}, rng, 4)]


def _check_same_answers(table: Table, other: Table, seat: int, commands: Sequence[object]) -> int:
    for command in commands:
        answers = [_answer(it, seat, command) for it in (table, other)]
        assert answers[0] == answers[1], f"{command} is answered by what seat {seat} can't know"
    return len(commands)


def _answer(table: Table, seat: int, command: object) -> str:
    try:
        judge.act(table.game, table.state, seat, command, Chance(seed=b"x", version=table.version))
    except Illegal as refusal:
        return str(refusal)
    return "accepted"
