"""Seasons over REST: an organiser, a host, an auditor and players, each a guest, and what they ask of the season."""

from typing import Any
from uuid import uuid4

from events import outbox
from tests.api.guests import Answer, Guest, guest
from tests.api.ordinary import ordinary

ALL = 2**31
"""More streams than any run leaves to be delivered."""


def deliver() -> None:
    """Do the worker's part until nothing is left: send results to seasons, and acts of seasons to matches."""
    outbox.catch_up(limit=ALL)


class Cup:
    """A season with its people; the players are enrolled."""

    def __init__(self, players: int, organiser: Guest | None = None, **options: Any) -> None:
        self.organiser = organiser or guest(is_organiser=True)
        response = self.organiser.post("/seasons", {"title": "A cup", "options": options}, Idempotency_Key=str(uuid4()))
        assert response.status == 201, response.body
        self.path = response.headers["Location"].removeprefix("/api/v1")
        self.id = self.path.rpartition("/")[2]
        self.host, self.auditor = guest(), guest()
        self.did("/staff", {"account": self.host.id, "role": "host"})
        self.did("/staff", {"account": self.auditor.id, "role": "auditor"})
        self.players = [guest() for _ in range(players)]
        for player in self.players:
            self.did("/players", {"player": player.id})

    def ask(self, path: str, body: Any = None, by: Guest | None = None, **headers: str) -> Answer:
        """Act on the season, under a fresh key."""
        headers.setdefault("Idempotency_Key", str(uuid4()))
        return (by or self.organiser).post(self.path + path, body, **headers)

    def did(self, path: str, body: Any = None, by: Guest | None = None) -> list[dict[str, Any]]:
        """Act, and it is accepted; gives the events."""
        answer = self.ask(path, body, by)
        assert answer.status == 201, answer.body
        events: list[dict[str, Any]] = answer.json["events"]
        return events

    def read(self, path: str = "", by: Guest | None = None, **query: Any) -> Any:
        """A document of the season."""
        answer = (by or self.organiser).get(self.path + path, query or None)
        assert answer.status == 200, answer.body
        return answer.json

    def player(self, account: str) -> Guest:
        """The guest with this account."""
        return next(player for player in self.players if player.id == account)

    def living(self) -> list[Guest]:
        """The players who are in."""
        standings = self.read("/standings")["results"]
        living = {it["player"]["id"] for it in standings if it["status"] == "living"}
        return [player for player in self.players if player.id in living]

    def main_match(self) -> Guest:
        """An episode up to its EC, who is given back; the first of the living wins, the last loses."""
        first, *others, last = self.living()
        self.did("/episodes", {"title": "An episode"})
        self.did("/main-matches", {"name": "Dice", "winners": [first.id], "candidates": [last.id]})
        if len(others) > 1:
            self.did("/tokens", {"player": others[0].id}, by=first)
        return last

    def death_match(self, game: str = "pyramid_poker") -> str:
        """An episode up to its death match, which has begun; gives its id."""
        candidate = self.main_match()
        self.did("/opponents", {"player": self.living()[-2].id}, by=candidate)
        return self.set("/death-matches", game)

    def set(self, path: str, game: str) -> str:
        """Schedule a match and let its host start it; gives its id."""
        match: str = self.did(path, {"game": game, "clocks": None}, by=self.host)[0]["match"]
        assert self.host.post(f"/matches/{match}/start").status == 200
        return match

    def loses(self, match: str, player: Guest) -> None:
        """This player gives the match up, and the season is told."""
        assert player.send(match, {"type": "resign"}).status == 201
        deliver()

    def episode(self) -> str:
        """A whole episode; gives the death match's id."""
        match = self.death_match()
        candidate = self.read("/episodes")["results"][-1]["candidate"]
        self.loses(match, self.player(candidate))
        self.did(f"/matches/{match}/approve")
        return match


def ordinarily(cup: Cup, operation: str, by: Guest, query: str = "", **how: Any) -> Answer:
    """The ordinary request for an operation on this season; `body` and `names` as asked for."""
    names = {"season_id": cup.id, **how.get("names", {})}
    return ordinary(operation, query=query, body=how.get("body"), **names).sent_by(by)
