"""The end of a match: who won and how, in a sentence, and the scene that shows it. The same for all who look."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from games.drawing.themes import HOUSE, HOUSE_TABLE
from games.kernel import Outcome, Witness
from matches.domain.match_state import MatchState
from matches.html.seats import SeatStrip

_HOW = {"resigned": "by resignation", "flag": "on time", "adjudicated": "by the host's decision"}


@dataclass(frozen=True)
class Scene:
    """Who has won, who else sat there, and what decided it: a whole `<svg>`, drawn by the game or its board as it
    stands."""

    told: str
    seats: tuple[SeatStrip, ...]
    winners: frozenset[int]
    drawn: str

    @property
    def sides(self) -> tuple[list[SeatStrip], list[SeatStrip]]:
        """Who stands left and right of it: two as they sat, of more the winners left."""
        if len(self.seats) == 2:
            return [self.seats[0]], [self.seats[1]]
        won = [strip for strip in self.seats if strip.number in self.winners]
        return won, [strip for strip in self.seats if strip.number not in self.winners]


def sentence(match_state: MatchState, names: Sequence[str]) -> str:
    """How the match ended: `Ada wins, two hands to one`; empty while it runs or where it is void."""
    end = match_state.lifecycle.outcome
    if end is None:
        return ""
    score = _score(match_state) if end.reason == "played" else ""
    winners = " and ".join(names[seat] for seat in end.winners)
    who = f"{winners} {'wins' if len(end.winners) == 1 else 'win'}" if len(end.winners) < len(names) else "A draw"
    if match_state.lifecycle.forfeited:
        return f"{who}, as the other player left"
    return f"{who}, {score}" if score else f"{who} {_HOW.get(end.reason, '')}".rstrip()


def scene(match_state: MatchState, witness: Witness, names: Sequence[str], strips: Sequence[SeatStrip]) -> Scene | None:
    """The scene of a match that has an outcome; None before, and where it is void."""
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
    """What the game shows, else the table; the colours stand in it, as no page is lit here."""
    seen: dict[str, Any] = {"viewer": witness, "names": names}
    board, state = match_state.game.board, match_state.state
    decided = match_state.lifecycle.outcome is not None and match_state.lifecycle.outcome.reason == "played"
    drawn = board.finale(state, theme=HOUSE, **seen) if decided else None
    drawn = drawn or board.parts(state, theme=HOUSE_TABLE, **seen)[0].drawn
    return drawn.replace('"', "'")
