"""The aids of the game: information shown beyond what is public or held."""

from typing import Final

from msgspec.structs import replace

from games.kernel import Aid
from games.reality_benders.state import State

AIDS: Final = {
    "changed_rules": Aid("memory", "which rules the last round made, and which it destroyed"),
    "spell_effects": Aid("all", "the rules that a spell would make, turn or destroy, before it is cast"),
}


def forget(state: State) -> State:
    """Remove the rules that the last round made and destroyed."""
    return replace(state, fresh=(), gone=())
