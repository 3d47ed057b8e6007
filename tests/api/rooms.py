"""A season whose players open private rooms, and what they say there over REST."""

from collections.abc import Sequence
from typing import Any

from matches.seasons.models import Season
from tests.api.guests import Answer, Guest, guest
from tests.api.seasons import Cup

ROOMS = {"private_rooms": "players"}


class House(Cup):
    """A season of four players in which players open private rooms, and a spectator of it."""

    def __init__(self, **options: Any) -> None:
        super().__init__(4, **{**ROOMS, **options})
        self.first, self.second, self.third, self.fourth = self.players
        self.spectator = guest()

    @property
    def everybody(self) -> dict[str, Guest]:
        """Everybody who sees the season, by what they are in it."""
        return {
            "first": self.first, "second": self.second, "third": self.third, "organiser": self.organiser,
            "host": self.host, "auditor": self.auditor, "house": guest(is_organiser=True), "spectator": self.spectator,
        }  # fmt: skip

    def opens(self, by: Guest, kind: str = "private", members: Sequence[Guest] = (), **headers: str) -> str:
        """Return the path of a room that this account has opened."""
        body = {"kind": kind, "title": "Us" if kind == "private" else "", "members": [it.id for it in members]}
        answer = by.post(f"{self.path}/rooms", body, **headers)
        assert answer.status == 201, answer.body
        return f"{self.path}/rooms/{answer.json['id']}"

    def alliance(self) -> str:
        """Return the path of a private room of the first and second player, with one remark."""
        path = self.opens(self.first, members=[self.second])
        assert say(self.first, path, "We vote for the third.").status == 201
        return path

    def end(self) -> None:
        """End the season: all players but one leave it."""
        self.did("/episodes", {"title": "First"})
        self.did("/episodes/close", {"reason": "Nothing happened."})
        for player in self.players[1:]:
            self.did(f"/players/{player.id}/withdraw", {"reason": "Work calls."})
        assert Season.objects.get(id=self.id).status == "finished"

    def plays(self, *players: Guest) -> str:
        """Begin a match of the season for these players."""
        self.did("/episodes", {"title": "First"})
        body = {"players": [it.id for it in players], "game": "pyramid_poker", "clocks": None}
        match: str = self.did("/main-matches/tables", body)[0]["match"]
        assert self.host.post(f"/matches/{match}/start").status == 200
        return match


def say(who: Guest, path: str, text: str, **headers: str) -> Answer:
    """Write a remark in a room."""
    return who.post(f"{path}/remarks", {"text": text}, **headers)


def texts(who: Guest, path: str) -> list[str]:
    """Return the texts that an account reads in a room."""
    answer = who.get(f"{path}/remarks")
    assert answer.status == 200, answer.body
    return [it["text"] for it in answer.json["results"]]
