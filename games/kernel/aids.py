"""What a house may think for a player, by kind: an option of every match says which of it the match is played with."""

from dataclasses import dataclass
from typing import Literal, TypeVar

S = TypeVar("S")

Aids = Literal["none", "memory", "all"]
"""`none`: a seat is shown what lies open and what it holds, and which commands are legal. `memory`: also what it was
told before. `all`: also what can be computed."""


@dataclass(frozen=True)
class Aid:
    """Something that is shown beyond what lies open and what a seat holds: `kind` is the least of the levels at which
    it is, `tells` says what, as a phrase."""

    kind: Literal["memory", "all"]
    tells: str

    def stands_at(self, level: Aids) -> bool:
        """Whether a match with these aids has it."""
        return level == "all" or level == self.kind


def nothing_to_forget(state: S) -> S:
    """For a game whose states hold nothing but what lies open or is held."""
    return state
