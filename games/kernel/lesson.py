"""Lessons: a scripted first match with a text and a command of the learner for each step."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from games.kernel.guide import Script

LEARNER: Final = 0
"""The learner's seat; it has the priority."""


@dataclass(frozen=True)
class LessonStep:
    """One step of a lesson.

    `ask` is the instruction without its full stop; `does` is that command in the game's notation. Both are empty for a
    step that is only read. `points` are what the step refers to: cells and places of the pictures by name, or
    `part NAME`. `then` are the moves that follow, as in `Script.moves`.
    """

    title: str
    says: str
    ask: str = ""
    does: str = ""
    points: tuple[str, ...] = ()
    then: str = ""


@dataclass(frozen=True)
class Lesson:
    """The script of a real match with a fixed seed; `before` are the moves before the first step."""

    seed: bytes
    steps: tuple[LessonStep, ...]
    before: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)

    def moves(self, first: int, end: int) -> str:
        """Return the moves of the steps from `first` up to but not including `end`, counted from 0."""
        made = (move for step in self.steps[first:end] for move in (step.does, step.then))
        return "; ".join(filter(None, made))

    def script(self, steps: int) -> Script:
        """Return the script of the match up to the end of this many steps."""
        return Script(self.seed, "; ".join(filter(None, (self.before, self.moves(0, steps)))), self.options)
