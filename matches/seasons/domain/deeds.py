"""Deeds of an episode: the player who acted, and the substitute who has their part now but didn't act. Pure."""

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

EpisodeRole = Literal["won", "lost", "token", "candidate", "opponent", "ban"]
"""Winner or loser of the main match, holder of a token of life, EC, DMO, or one who has struck a game."""


class Deed(Struct, frozen=True):
    """A part in an episode: `player` has it now, `acted` is whose it was when it came about, `by` is who chose so; None
    where it followed from a result or a rule, or was put right later."""

    part: EpisodeRole
    player: str
    acted: str
    by: str | None = None
    game: str | None = None


Held = tuple[EpisodeRole, str, str | None]
"""A part, who has it, and the game that is struck."""


def kept(deeds: Sequence[Deed], held: Iterable[Held], by: str | None) -> tuple[Deed, ...]:
    """Return the deeds of these parts. A new part gets a deed of the player who has it."""
    by_part = {(it.part, it.player, it.game): it for it in deeds}
    return tuple(by_part.get(it) or Deed(part=it[0], player=it[1], acted=it[1], by=by, game=it[2]) for it in held)


def handed_over(deeds: Sequence[Deed], leaver: str, newcomer: str) -> tuple[Deed, ...]:
    """Return the deeds with the leaver's parts given to the newcomer; `acted` still names the leaver."""
    return tuple(replace(it, player=newcomer) if it.player == leaver else it for it in deeds)
