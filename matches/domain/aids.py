"""Aids of a match, and what they allow to show its witnesses. Pure."""

from collections.abc import Sequence
from typing import Final

from games.kernel import HOST, Aids, Witness
from matches.domain.events import BOT
from matches.domain.lifecycle import Lifecycle
from matches.domain.match_state import MatchState

SENTENCES: Final[dict[Aids, str]] = {
    "none": "No aids: the page shows what lies open and what you hold, and remembers nothing for you.",
    "memory": "The page remembers for you what you have been told, and computes nothing for you.",
    "all": "The page remembers for you what you have been told, and computes what it can.",
}
"""A sentence for players about each level."""


def usual(opener: str, players: Sequence[str | None]) -> Aids:
    """Return the default aids of a friendly: `all` for an opener who plays only bots and for matches among bots;
    `memory` if people meet, or the opener doesn't play. None is an open seat."""
    people = [player for player in players if player != BOT]
    return "all" if people in ([], [opener]) else "memory"


def remembers(lifecycle: Lifecycle, witness: Witness) -> bool:
    """True if a witness may be shown again what it was shown before. Only in a running match without aids it is False,
    except for hosts."""
    return lifecycle.opened.aids != "none" or lifecycle.over or witness is HOST


def sampled(lifecycle: Lifecycle) -> bool:
    """True if a seat may be shown a random legal command. It knows them all, so this counts as memory."""
    return lifecycle.opened.aids != "none"


def shown(match_state: MatchState, lifecycle: Lifecycle, witness: Witness) -> MatchState:
    """Return the match with as much of its game's state as this witness may be shown."""
    if remembers(lifecycle, witness):
        return match_state
    return match_state.showing(match_state.game.forget(match_state.state))
