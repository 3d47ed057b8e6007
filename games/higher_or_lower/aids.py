"""The aids of the game: information shown beyond what is public or held."""

from typing import Final

from msgspec.structs import replace

from games.higher_or_lower.state import State
from games.kernel import Aid

AIDS: Final = {
    "own_groups": Aid("memory", "which cards you gave to which group, once they lie on the boards"),
    "filling": Aid("memory", "groups filled for you as they may be, at your word"),
    "comparison": Aid("all", "which of your cards that can still lie beside are lower, and which are higher"),
}


def forget(state: State) -> State:
    """Remove the groups of seats that have locked in: their cards lie face down on the boards."""
    locked = [seat in state.locked for seat in range(state.seats)]
    return replace(
        state,
        groups=tuple(() if out else groups for out, groups in zip(locked, state.groups, strict=True)),
        filled=tuple(None if out and groups else groups for out, groups in zip(locked, state.filled, strict=True)),
    )
