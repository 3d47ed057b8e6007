"""Guests at a running house: programs that know nothing but its address, and play by what they are told."""

from collections.abc import Sequence
from random import Random
from time import monotonic
from typing import Any, Self
from uuid import uuid4

import httpx

from games import catalogue
from games.kernel import to_json
from tests.plain_http import NOBODY

PROBLEM = "application/problem+json"
Told = dict[str, Any]


class Guest:
    """An account with a token. Threads may share it."""

    def __init__(self, url: str, name: str, token: str, transport: httpx.BaseTransport | None = None) -> None:
        """`transport` carries the requests, if they are to go another way than straight to the house."""
        self.name = name
        self.token = token
        self._http = httpx.Client(
            base_url=f"{url}/api/v1", headers={"Authorization": f"Bearer {token}"}, timeout=20, verify=NOBODY,
            transport=transport,
        )  # fmt: skip
        self.id: str = self.get("/me")["id"]

    @classmethod
    def new(cls, url: str, name: str, password: str) -> Self:
        """Sign up first."""
        response = httpx.post(f"{url}/api/v1/accounts", json={"username": name, "password": password}, verify=NOBODY)
        assert response.status_code == 201, response.text
        return cls.known(url, name, password)

    @classmethod
    def known(cls, url: str, name: str, password: str) -> Self:
        """Log in."""
        response = httpx.post(f"{url}/api/v1/tokens", json={"username": name, "password": password}, verify=NOBODY)
        assert response.status_code == 201, response.text
        return cls(url, name, response.json()["token"])

    def leave(self) -> None:
        """Close the connections."""
        self._http.close()

    def ask(self, path: str, **query: Any) -> httpx.Response:
        """Whatever the answer is."""
        return self._http.get(path, params=query)

    def get(self, path: str, **query: Any) -> Any:
        """A document that is there."""
        answer = self.ask(path, **query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, body: Any, key: str | None = None) -> httpx.Response:
        """An act, whatever comes of it."""
        return self._http.post(path, json=body, headers={"Idempotency-Key": key or str(uuid4())})

    def put(self, path: str) -> Any:
        """Send a PUT, and return the body of its answer."""
        answer = self._http.put(path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def open(self, game: str, *players: "Guest | str", **more: Any) -> str:
        """The id of a match that has begun."""
        seats = [{"player": player.id if isinstance(player, Guest) else player} for player in players]
        opened = self.post("/matches", {"game": game, "seats": seats, **more})
        assert opened.status_code == 201, opened.text
        match: str = opened.json()["id"]
        begun = self.post(f"/matches/{match}/start", {"reason": "A journey."})
        assert begun.status_code == 200 and begun.json()["status"] == "running", begun.text
        return match

    def send(self, match: str, command: Told) -> Told:
        """A command that is legal."""
        answer = self.post(f"/matches/{match}/commands", command)
        assert answer.status_code == 201, answer.text
        accepted: Told = answer.json()
        return accepted

    def read(self, match: str) -> Told:
        """The match as this guest knows it."""
        document: Told = self.get(f"/matches/{match}")
        return document

    def turn(self, match: str, seat: int, seconds: float = 20) -> Told:
        """The match once it is this seat's turn, or over; the house has so long to do its part."""
        deadline = monotonic() + seconds
        while True:
            document = self.read(match)
            if document["outcome"] or prompted(document, seat):
                return document
            assert monotonic() < deadline, f"Nobody acts: {document['due']}"
            # The answer comes with the news: to ask again and again keeps house and test from their work.
            self.get(f"/matches/{match}/events", after=document["version"], wait=1)

    def choose(self, document: Told, seat: int, rng: Random) -> Told:
        """A legal command: at times one that the house lists, else one that the game's bot would send."""
        if rng.random() < 0.4:
            offered = self.get(f"/matches/{document['id']}/legal")
            # Where there is too much to list, nothing of the kind is in the list.
            if set(prompted(document, seat)) <= {command["type"] for command in offered["legal"]}:
                place = rng.randrange(len(offered["legal"]))
                return {"text": offered["text"][place]} if rng.random() < 0.5 else offered["legal"][place]
        game = catalogue[document["game"]]
        command = game.bot(game.read_state(document["view"]), seat, rng)
        return {"text": game.notation.form(command)} if rng.random() < 0.5 else to_json(command)

    def export(self, match: str) -> str:
        """The record, as text."""
        return self.ask(f"/matches/{match}/export").text


def prompted(document: Told, seat: int) -> list[str]:
    """The commands that a seat may send now."""
    return [name for prompt in document["due"]["prompts"] if prompt["seat"] == seat for name in prompt["commands"]]


def play_to_the_end(match: str, players: Sequence[Guest], rng: Random) -> Told:
    """Every player plays what they are asked for, from what they are told; the house deals. Gives the end."""
    seat = 0
    while True:
        document = players[seat].read(match)
        if document["outcome"]:
            return document
        if not (prompted_seats := [prompt["seat"] for prompt in document["due"]["prompts"]]):
            news = players[seat].get(f"/matches/{match}/events", after=document["version"], wait=20)
            assert news["results"], "The dealer doesn't act."
        elif seat in prompted_seats:
            players[seat].send(match, players[seat].choose(document, seat, rng))
            seat = rng.randrange(len(players))
        else:
            seat = rng.choice(prompted_seats)
