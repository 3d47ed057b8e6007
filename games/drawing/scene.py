"""The arguments of a board's drawing functions."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from games.drawing.themes import Theme
from games.kernel import Witness

S = TypeVar("S")


@dataclass(frozen=True)
class Scene(Generic[S]):
    """The arguments of `games.kernel.Board.draw`."""

    view: S
    viewer: Witness
    theme: Theme
    names: Sequence[str]
    targets: Collection[str]
    last: Collection[str]
