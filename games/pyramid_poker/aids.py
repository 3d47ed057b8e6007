"""What the house shows a player beyond what lies open and what is held."""

from typing import Final

from msgspec.structs import replace

from games.kernel import Aid
from games.pyramid_poker.pieces import BUILT
from games.pyramid_poker.state import State

AIDS: Final = {
    "placed_bricks": Aid("memory", "the values of the bricks that you have placed yourself, while they are drawn")
}


def forget(state: State) -> State:
    """The bricks closed once the first has been drawn. Until then the rules show a seat those that it placed. R6"""
    if state.phase == "construction" or len(state.spaces) == BUILT:
        return state
    return replace(state, spaces={space: replace(brick, brick=None) for space, brick in state.spaces.items()})
