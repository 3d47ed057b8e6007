"""What a board draws, for whom, and how."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from games.drawing.themes import Theme
from games.kernel import Witness

S = TypeVar("S")


@dataclass(frozen=True)
class Scene(Generic[S]):
    """The view of a witness, who looks, and what is to be marked; see `games.kernel.Board.draw`."""

    view: S
    viewer: Witness
    theme: Theme
    names: Sequence[str]
    targets: Collection[str]
    last: Collection[str]
