"""The end of a match: the result as a sentence, and the scene that shows it. The same for all readers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from games.drawing.themes import HOUSE, HOUSE_TABLE
from games.kernel import Outcome, Witness
from matches.domain.match_state import MatchState
from matches.html.name_lists import shortened
from matches.html.seats import SeatStrip

_HOW = {"resigned": "by resignation", "flag": "on time", "adjudicated": "by the host's decision"}


@dataclass(frozen=True)
class Scene:
    """The result as a sentence, the seats, and what decided the match: a whole `<svg>` by the game or its board."""

    sentence: str
    seats: tuple[SeatStrip, ...]
    winners: frozenset[int]
    drawn: str

    @property
    def sides(self) -> tuple[list[SeatStrip], list[SeatStrip]]:
        """Return the seats left and right of the picture: two as they sat; of more, the winners left."""
        if len(self.seats) == 2:
            return [self.seats[0]], [self.seats[1]]
        won = [strip for strip in self.seats if strip.number in self.winners]
        return won, [strip for strip in self.seats if strip.number not in self.winners]


def sentence(match_state: MatchState, names: Sequence[str]) -> str:
    """Return how the match ended (`Ada wins, two hands to one`); empty while it runs and if it is void."""
    end = match_state.lifecycle.outcome
    if end is None:
        return ""
    score = _score(match_state) if end.reason == "played" else ""
    winners = " and ".join(shortened([names[seat] for seat in end.winners]))
    who = f"{winners} {'wins' if len(end.winners) == 1 else 'win'}" if len(end.winners) < len(names) else "A draw"
    if match_state.lifecycle.forfeited:
        return f"{who}, as the other player left"
    return f"{who}, {score}" if score else f"{who} {_HOW.get(end.reason, '')}".rstrip()


def scene(match_state: MatchState, witness: Witness, names: Sequence[str], strips: Sequence[SeatStrip]) -> Scene | None:
    """Return the scene of a match with an outcome, else None."""
    end = match_state.lifecycle.outcome
    if end is None:
        return None
    return Scene(
        sentence(match_state, names), tuple(strips), frozenset(end.winners), _decisive(match_state, witness, names)
    )


def _score(match_state: MatchState) -> str:
    outcome: Outcome | None = match_state.game.outcome(match_state.state)
    return match_state.game.board.score(match_state.state, outcome) if outcome else ""


def _decisive(match_state: MatchState, witness: Witness, names: Sequence[str]) -> str:
    """Return the game's finale, else the table, with its colours inside: the picture isn't styled by the page."""
    view: dict[str, Any] = {"viewer": witness, "names": names}
    board, state = match_state.game.board, match_state.state
    decided = match_state.lifecycle.outcome is not None and match_state.lifecycle.outcome.reason == "played"
    drawn = board.finale(state, theme=HOUSE, **view) if decided else None
    drawn = drawn or board.parts(state, theme=HOUSE_TABLE, **view)[0].drawn
    return drawn.replace('"', "'")
