"""Contests of a season as they are played over REST: players submit, the host judges, time passes."""

from random import Random
from typing import Any
from uuid import UUID

from games.contest import GAME
from games.kernel import HOST
from matches.domain.match_state import MatchState
from matches.services import playing, timing
from matches.storage import repository
from tests.api.seasons import Cup, deliver

_TWO_DAYS = 2 * 86_400 * 10**6
"""Microseconds after which the flag of every round has fallen."""

TWO_VOTES: dict[str, Any] = {
    "title": "Two Votes",
    "rules": "Vote twice.\n\nThe minority wins.",
    "least_seats": 3,
    "rounds": [
        {
            "name": name,
            "fields": [{"kind": "choice", "name": "side", "options": ["left", "right"]}],
            "default": {"kind": "fixed", "values": {"side": "left"}},
            "scheme": {"kind": "minority", "field": "side", "points": points},
        }
        for name, points in (("first", 1), ("second", 2))
    ],
    "score": {"ties": ["chance"]},
}


class PlayedTable:
    """A table of a main match that has begun; its players submit as the game's bot does."""

    def __init__(self, cup: Cup, match: str) -> None:
        self.cup, self.match = cup, match
        self.rng = Random(match)
        deliver()
        assert cup.host.post(f"/matches/{match}/start").status == 200
        playing.attend(match_id=UUID(match))

    @property
    def state(self) -> MatchState:
        """The match as it stands."""
        return repository.load(UUID(self.match))

    def submit(self, seat: int, **values: Any) -> None:
        """The player at this seat submits these values, or those of the game's bot."""
        state = self.state
        view = repository.load(UUID(self.match), seat).state
        given = values or GAME.bot(view, seat, self.rng).values
        command = {"type": "submit", "round": state.state.number, "values": given}
        answer = self.cup.player(str(state.lifecycle.players[seat])).send(self.match, command)
        assert answer.status == 201, answer.body
        playing.attend(match_id=UUID(self.match))

    def play_round(self, *silent: int) -> None:
        """Everybody who is asked submits but for the silent seats, whose time passes; or the host judges."""
        number = len(self.state.state.played)
        while not self.state.lifecycle.over and len(self.state.state.played) == number:
            self._next(silent)
        while self.state.state.stage == "judging" and not self.state.lifecycle.over:
            self._next(silent)

    def play_out(self, *silent: int) -> None:
        """The contest goes on to its end, and the season is told."""
        while not self.state.lifecycle.over:
            self._next(silent)
        deliver()

    def _next(self, silent: tuple[int, ...]) -> None:
        prompts = self.state.due.prompts
        assert prompts, self.state
        if prompts[0].seat == HOST:
            view = repository.load(UUID(self.match), HOST).state
            judged = GAME.sample(view, HOST, self.rng)
            body = {"type": "resolve", "round": judged.round, "points": judged.points}
            answer = self.cup.host.send(self.match, body)
            assert answer.status == 201, answer.body
        elif speaking := [it.seat for it in prompts if it.seat not in silent]:
            self.submit(int(speaking[0]))
            return
        else:
            assert timing.let_flag_fall(match_id=UUID(self.match), by=self.state.at + _TWO_DAYS)
        playing.attend(match_id=UUID(self.match))


def set_contest(cup: Cup, players: int, **body: Any) -> PlayedTable:
    """Set a table of a contest for the first of the living, and start it."""
    seated = [it.id for it in cup.living()[:players]]
    body = {"options": {"content": TWO_VOTES}} | body if "contest" not in body else body
    (event,) = cup.did("/main-matches/tables", {"game": "contest", "players": seated, **body}, by=cup.host)
    return PlayedTable(cup, event["match"])
