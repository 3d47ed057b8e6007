"""A contest over REST, with a host who holds no seat."""

from dataclasses import dataclass, field
from typing import Any, Self
from uuid import UUID

from events import store
from games.kernel import SPECTATOR
from matches.models import Account, Match
from matches.reads import feed
from tests.api.guests import Answer, Guest, guest, house, started
from tests.panel.office import Desk

SECRET = "xylophone"
"""A word that players submit; no other text of the service contains it."""
WORD = {"name": "word", "title": "Your word", "kind": "text"}
SIDE = {"name": "side", "kind": "choice", "options": ["left", "right"]}
SPEECH: dict[str, Any] = {
    "name": "speech", "title": "The speech", "fields": [WORD], "reveal": "nothing", "sealed": True,
    "scheme": {"kind": "host", "least": -2, "most": 5},
}  # fmt: skip
VOTE: dict[str, Any] = {
    "name": "vote", "title": "The vote", "fields": [SIDE], "scheme": {"kind": "majority", "field": "side"},
}  # fmt: skip
LAST: dict[str, Any] = VOTE | {"name": "last", "title": "The last vote"}


@dataclass(frozen=True)
class ContestMatch:
    """A running contest, its host and its players in the order of their seats."""

    id: str
    host: Guest
    players: list[Guest] = field(default_factory=list)

    @classmethod
    def begun(cls, *rounds: dict[str, Any], host: Guest | None = None, seats: int = 3, **setting: Any) -> Self:
        players, opener = [guest() for _ in range(seats)], host or guest()
        content = {"title": "A contest", "rounds": list(rounds or (SPEECH, VOTE, LAST)), **setting.pop("content", {})}
        match = started("contest", *players, opener=opener, options={"content": content}, **setting)
        return cls(match, opener, players)

    @property
    def row(self) -> Match:
        return Match.objects.get(id=self.id)

    @property
    def state(self) -> Any:
        """The state as spectators see it."""
        return feed.visible_state(UUID(self.id), SPECTATOR).state

    @property
    def desk(self) -> Desk:
        """The host's browser."""
        return Desk(Account.objects.get(id=self.host.id))

    def submit(self, seat: int, **values: Any) -> Answer:
        command = {"type": "submit", "round": self.state.number, "values": values}
        return self.players[seat].send(self.id, command)

    def submitted(self, *seats: int, **values: Any) -> Self:
        """Return the contest after these seats, by default all, have submitted, and the dealer has gone on."""
        for seat in seats or range(len(self.players)):
            answer = self.submit(seat, **(values or {"word": f"{SECRET} {seat}"}))
            assert answer.status == 201, answer.body
        house(self.id)
        return self

    def command(self, kind: str, by: Guest | None = None, key: str = "", **values: Any) -> Answer:
        """Send a command of the host."""
        return (by or self.host).send(self.id, {"type": kind, **values}, key=key)

    def remind(self, by: Guest | None = None) -> Answer:
        return (by or self.host).post(f"/matches/{self.id}/remind", {})

    def resolve(self, **points: int) -> Answer:
        answer = self.command("resolve", round=len(self.state.played), points=points)
        house(self.id)
        return answer

    def text_of(self, place: int) -> str:
        """Return the host's text of a round that is over, as spectators read it."""
        text: str = self.host.get(f"/matches/{self.id}/view").json["view"]["played"][place]["text"]
        return text

    def types(self) -> list[str]:
        return [row.type for row in store.read(UUID(self.id))]
