"""What the house shows a player beyond what lies open and what is held."""

from typing import Final

from msgspec.structs import replace

from games.kernel import Aid
from games.reality_benders.state import State

AIDS: Final = {
    "changed_rules": Aid("memory", "which rules the last round made, and which it destroyed"),
    "spell_effects": Aid("all", "the rules that a spell would make, turn or destroy, before it is cast"),
}


def forget(state: State) -> State:
    """The rules as they lie, whatever they were before."""
    return replace(state, fresh=(), gone=())
