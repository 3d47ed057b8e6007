"""A judged match over REST, step by step."""

from dataclasses import dataclass
from typing import Any, Self
from uuid import UUID

from events import store
from tests.api.guests import Answer, Guest, guest, started

WORDS = ("xylophone", "quartzite")
"""The words that the seats hand in; no other text of the service contains them."""


@dataclass(frozen=True)
class JudgedMatch:
    """A match, its host and its players in the order of their seats."""

    id: str
    host: Guest
    players: list[Guest]

    @classmethod
    def begun(cls, host: Guest, **setting: Any) -> Self:
        players = [guest(), guest()]
        return cls(started("judged", *players, opener=host, **setting), host, players)

    def handed_in(self, *seats: int) -> Self:
        """Return the match after these seats, by default both, have handed their words in."""
        for seat in seats or (0, 1):
            assert self.players[seat].send(self.id, {"type": "hand_in", "word": WORDS[seat]}).status == 201
        return self

    def judge(self, by: Guest | None = None, winner: int = 0, **more: str) -> Answer:
        return (by or self.host).send(self.id, {"type": "judge", "winner": winner}, **more)

    def types(self) -> list[str]:
        return [row.type for row in store.read(UUID(self.id))]

    def told(self, by: Guest | None = None) -> Any:
        """Return the match's document."""
        return (by or self.host).get(f"/matches/{self.id}").json
