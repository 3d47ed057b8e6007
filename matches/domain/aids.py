"""Which aids a match is played with, and what its witnesses may so be shown. Pure."""

from collections.abc import Sequence
from typing import Final

from games.kernel import HOST, Aids, Witness
from matches.domain.events import BOT
from matches.domain.lifecycle import Lifecycle
from matches.domain.match_state import MatchState

TOLD: Final[dict[Aids, str]] = {
    "none": "No aids: the page shows what lies open and what you hold, and remembers nothing for you.",
    "memory": "The page remembers for you what you have been told, and computes nothing for you.",
    "all": "The page remembers for you what you have been told, and computes what it can.",
}
"""What each level means to those who play, as a sentence."""


def usual(opener: str, players: Sequence[str | None]) -> Aids:
    """What a match outside seasons is opened with where its opener doesn't say: `all` for one who plays bots alone, and
    for bots among themselves; `memory` where people meet, or somebody else runs the match. None is an open seat."""
    people = [player for player in players if player != BOT]
    return "all" if people in ([], [opener]) else "memory"


def remembers(now: Lifecycle, witness: Witness) -> bool:
    """Whether a witness is shown what it was told before, as the match stands now: always but at a match without aids
    that goes on, where hosts alone are."""
    return now.opened.aids != "none" or now.over or witness is HOST


def sampled(now: Lifecycle) -> bool:
    """Whether a seat is told one of its legal commands at random: it knows them all, so that is memory's."""
    return now.opened.aids != "none"


def shown(match_state: MatchState, now: Lifecycle, witness: Witness) -> MatchState:
    """The match with as much of its game's state as this witness may be shown."""
    if remembers(now, witness):
        return match_state
    return match_state.showing(match_state.game.forget(match_state.state))
