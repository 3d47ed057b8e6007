"""A first match that teaches: what is said, what it is about, what the learner does, and what happens then."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from games.kernel.guide import Script

LEARNER: Final = 0
"""The learner's seat; it has the priority."""


@dataclass(frozen=True)
class LessonStep:
    """One thing at a time. `ask` is what to do now, without its full stop; `does` is that command in the game's
    notation. Both are empty where there is only something to read.

    `points` are what the step is about: cells and places of the pictures by their names, or `part NAME`. `then` are the
    moves that follow, with `; ` in between, each by the seat that is asked first; the dealer's duties are done at once.
    """

    title: str
    says: str
    ask: str = ""
    does: str = ""
    points: tuple[str, ...] = ()
    then: str = ""


@dataclass(frozen=True)
class Lesson:
    """The script of a true match with a fixed seed; `before` is played before the first step, as a step's `then`."""

    seed: bytes
    steps: tuple[LessonStep, ...]
    before: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)

    def moves(self, first: int, end: int) -> str:
        """The moves of the steps from `first` up to, but without, `end`, as a step's `then`; steps count from 0."""
        made = (move for step in self.steps[first:end] for move in (step.does, step.then))
        return "; ".join(filter(None, made))

    def script(self, steps: int) -> Script:
        """The match as it stands after so many steps."""
        return Script(self.seed, "; ".join(filter(None, (self.before, self.moves(0, steps)))), self.options)
