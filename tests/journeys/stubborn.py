"""Clients that repeat what got no answer, and what has to be true of what they were told in the end."""

import json
from collections import Counter
from random import Random
from threading import Event, Thread
from time import monotonic, sleep
from typing import Any, NamedTuple
from uuid import uuid4

import httpx

from matches.audit import croupier_verify
from tests.journeys.guests import Guest, Told, prompted

BOUND = 20.0
"""Seconds within which a house must be itself again."""


class Acknowledged(NamedTuple):
    """A command that the house has accepted: when, in which bytes it said so, and how many seconds that took."""

    at: float
    match: str
    seat: int
    key: str
    command: Told
    body: bytes
    took: float


class Stubborn:
    """A client that repeats a request under the same key until it gets an answer, and keeps count of the failures."""

    def __init__(self, guest: Guest) -> None:
        self.guest = guest
        self.acknowledged: list[Acknowledged] = []
        self.failures: list[str] = []

    def send(self, match: str, seat: int, command: Told, seconds: float = BOUND) -> None:
        """A legal command; the same one until it is acknowledged."""
        key, began = str(uuid4()), monotonic()
        answer = self.insist(lambda: self.guest.post(f"/matches/{match}/commands", command, key), seconds)
        assert answer.status_code == 201, answer.text
        at = monotonic()
        self.acknowledged.append(Acknowledged(at, match, seat, key, command, answer.content, at - began))

    def leave(self) -> None:
        """Close the connections."""
        self.guest.leave()

    def read(self, match: str) -> Told:
        """The match, however often it takes."""
        document: Told = self.insist(lambda: self.guest.ask(f"/matches/{match}")).json()
        return document

    def choose(self, match: str, seat: int, rng: Random) -> Told:
        """A legal command of a seat whose moves are all listed."""
        legal: list[Told] = self.insist(lambda: self.guest.ask(f"/matches/{match}/legal")).json()["legal"]
        return rng.choice(legal)

    def insist(self, request: Any, seconds: float = BOUND) -> httpx.Response:
        """The first answer that isn't the house's absence."""
        deadline = monotonic() + seconds
        while True:
            assert monotonic() < deadline, f"No answer within {seconds:g} s: {Counter(self.failures)}"
            try:
                answer: httpx.Response = request()
            except httpx.TransportError as error:
                self.failures.append(f"connection: {type(error).__name__}")
            else:
                if answer.status_code < 500 and answer.status_code != 429:
                    return answer
                self.failures.append(f"{answer.status_code} {answer.headers['content-type']} {answer.json()['code']}")
            sleep(0.05)


class Player(Thread):
    """Plays one seat until it is told to stop."""

    def __init__(self, client: Stubborn, match: str, seat: int, enough: Event) -> None:
        super().__init__()
        self.client, self.match, self.seat, self.enough = client, match, seat, enough
        self.fault: BaseException | None = None

    def run(self) -> None:
        try:
            self._play(Random(self.seat))
        except BaseException as fault:  # the test raises it again
            self.fault = fault

    def _play(self, rng: Random) -> None:
        while not self.enough.is_set():
            document = self.client.read(self.match)
            if document["outcome"]:
                return
            if prompted(document, self.seat):
                self.client.send(self.match, self.seat, self.client.choose(self.match, self.seat, rng))
            else:
                self.enough.wait(0.02)


def record_of(match: str, guest: Guest) -> list[Told]:
    """The events of a match by its record, which holds: versions without a gap, every hash right."""
    lines = guest.export(match).splitlines()
    croupier_verify.verify(lines)
    events = [entry for line in lines[1:] if "type" in (entry := json.loads(line))]
    assert [event["version"] for event in events] == list(range(1, len(events) + 1))
    return events


def assert_all_is_kept(players: list[Player]) -> None:
    """Every acknowledged command is in its match's record exactly once, at its version, and a retry still says so."""
    for player in players:
        guest = player.client.guest
        record = record_of(player.match, guest)
        hashes = {event["version"]: event["hash"] for event in record}
        for acknowledged in player.client.acknowledged:
            answer = json.loads(acknowledged.body)
            assert answer["version"] == answer["events"][-1]["version"]
            assert all(hashes[event["version"]] == event["hash"] for event in answer["events"])
            again = guest.post(f"/matches/{player.match}/commands", acknowledged.command, acknowledged.key)
            assert (again.status_code, again.content) == (201, acknowledged.body)
            assert again.headers["Idempotent-Replayed"] == "true"
        placed = [event["actor"] for event in record if event["type"] == "card_placed"]
        assert placed.count(guest.id) == len(player.client.acknowledged)
