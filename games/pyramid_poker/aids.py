"""The aids of the game: information shown beyond what is public or held."""

from typing import Final

from msgspec.structs import replace

from games.kernel import Aid
from games.pyramid_poker.pieces import BUILT
from games.pyramid_poker.state import State

AIDS: Final = {
    "placed_bricks": Aid("memory", "the values of the bricks that you have placed yourself, while they are drawn")
}


def forget(state: State) -> State:
    """Hide the bricks' values once the first brick has been drawn; until then a seat sees those it placed. R6"""
    if state.phase == "construction" or len(state.spaces) == BUILT:
        return state
    return replace(state, spaces={space: replace(brick, brick=None) for space, brick in state.spaces.items()})
