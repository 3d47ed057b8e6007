"""What the house shows a player beyond what lies open and what is held."""

from typing import Final

from msgspec.structs import replace

from games.kernel import Aid
from games.pyramid_poker.state import State

AIDS: Final = {"placed_bricks": Aid("memory", "the values of the bricks that you have placed yourself")}


def forget(state: State) -> State:
    """Every brick on the pyramid with its value closed, as it stands on the table."""
    return replace(state, spaces={space: replace(brick, brick=None) for space, brick in state.spaces.items()})
