"""A first match that teaches: what is said, what it is about, what the learner does, and what happens then."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

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
