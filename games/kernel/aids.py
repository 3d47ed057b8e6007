"""Aids: information that pages may compute or remember for a player. Each match has an option for their level."""

from dataclasses import dataclass
from typing import Literal, TypeVar

S = TypeVar("S")

Aids = Literal["none", "memory", "all"]
"""The level of aids of a match.

`none`: a seat is shown the public information, its own hidden items and its legal commands. `memory`: also what it was
shown earlier. `all`: also what can be computed from that.
"""


@dataclass(frozen=True)
class Aid:
    """Information shown beyond what is public or held by the seat.

    `kind` is the lowest level at which it is shown; `tells` describes it in a phrase for players.
    """

    kind: Literal["memory", "all"]
    tells: str

    def stands_at(self, level: Aids) -> bool:
        """True if a match at this level shows the aid."""
        return level == "all" or level == self.kind


def nothing_to_forget(state: S) -> S:
    """Return the state unchanged: the `forget` of a game whose states hold only public or held information."""
    return state
